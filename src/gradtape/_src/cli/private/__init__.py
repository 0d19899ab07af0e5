"""Modules of TensorFlow's that have names of their own beside the public ones: see `private_modules`."""
