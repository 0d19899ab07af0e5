"""`tf.keras.ops`: NumPy's functions and those of neural networks, by Keras 3's names."""
