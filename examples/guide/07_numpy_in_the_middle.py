import tensorflow as tf

import numpy as np
x = tf.Variable([[1.0,2.0],
                [3.0,4.0]], dtype=tf.float32)

with tf.GradientTape() as tape:
    x2 = x**2
    y = np.mean(x2, axis=0)    # 不在tensorflow内的运算
    y = tf.reduce_mean(y,axis=0)

print(tape.gradient(y,x))
