"""Keras's models: layers put together, and their training."""
