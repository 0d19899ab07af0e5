"""Training as TensorFlow 1 programs write it: optimizers, global steps, learning rates, moving averages."""
