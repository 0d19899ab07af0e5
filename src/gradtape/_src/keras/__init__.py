"""Keras: layers, losses, metrics, optimizers and what they are made of."""
