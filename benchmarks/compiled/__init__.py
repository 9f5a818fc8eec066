"""``python -m benchmarks compiled``: compiled programs beside ``jax.jit`` and PyTorch."""
