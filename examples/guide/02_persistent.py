import tensorflow as tf

x = tf.constant([1,3.0])

with tf.GradientTape(persistent = True) as tape:
    tape.watch(x)
    y = x*x
    z = y*y

print(tape.gradient(z,x).numpy())
print(tape.gradient(y,x).numpy())
