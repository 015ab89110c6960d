"""What runs inside the process of a run, behind the layers; nothing here is trusted by the parent."""
