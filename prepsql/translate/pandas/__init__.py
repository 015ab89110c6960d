"""pandas → workflow: the program runs on its inputs, instrumented, and what it does to tables is written down."""
