"""`tf.keras.applications`: well-known networks of images. Trained weights are read from files, never downloaded."""
