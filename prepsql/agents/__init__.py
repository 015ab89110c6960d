"""The four actions of an agent, and the user it may ask."""
