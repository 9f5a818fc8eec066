"""Lists of names, as one writes them."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text.

    >>> words("sin cos")
    ('sin', 'cos')
    """
    return tuple(text.split())
