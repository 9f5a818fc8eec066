"""From traced programs to C: the toolchain, and the libraries it built."""
