"""How precise the generated code is: ``python -m generator accuracy``.

`points` chooses where to look, `reference` computes the exact numbers from the values of the
table, `twins` calls the generated code, `ulp` compares, `report` shows.
"""
