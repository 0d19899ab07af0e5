"""TensorFlow 1: names, graphs by default, sessions."""
