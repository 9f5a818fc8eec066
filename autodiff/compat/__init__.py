"""Interfaces of other libraries on this engine, for code that changes only its imports."""
