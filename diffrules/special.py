"""Rules of special functions."""
