"""The backend that writes C: loops, products and calls as one CPython extension."""
