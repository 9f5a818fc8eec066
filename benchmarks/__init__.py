"""Speed and memory of `autodiff` against NumPy by hand and other libraries.

Run it with ``python -m benchmarks``; ``--help`` lists the options.
"""
