"""Rules of activations functions."""
