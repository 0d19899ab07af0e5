import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import RNN, GRUCell

inp_dim = 2
num_units = 50
batch_size = 100
timesteps = 10

tf.reset_default_graph()
inputs = tf.placeholder(tf.float32, shape=(timesteps, batch_size, inp_dim))
with tf.GradientTape() as g:
    g.watch(inputs)
    cells = [GRUCell(num_units), GRUCell(num_units)]
    rnn = RNN(cells, time_major=True, return_sequences=True)
    f = rnn(inputs)
d_fx = g.batch_jacobian(f, inputs, batch_axis=1)  # 样本在第1轴

# 与tf.gradients比较：所有样本的第7步、第20个输出
row = tf.gradients(f[7, :, 20], inputs)[0]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    jacobian, grads = sess.run([d_fx, row], feed_dict={inputs: np.random.rand(timesteps, batch_size, inp_dim)})
    print(jacobian.shape)
    print(np.allclose(jacobian[7, :, 20], grads.transpose(1, 0, 2), atol=1e-6))
