"""Keras's layers, a family a file."""
