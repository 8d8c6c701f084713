"""What the searches of all titles share: how functions are compiled, and where compiled code is stored."""
