import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import RNN, GRUCell

inp_dim = 2
num_units = 50
batch_size = 100
timesteps = 10

tf.reset_default_graph()
inputs = tf.placeholder(tf.float32, shape=(timesteps, batch_size, inp_dim))

# 构建RNN模型
cells = [GRUCell(num_units), GRUCell(num_units)]
rnn = RNN(cells, time_major=True, return_sequences=True)
f = rnn(inputs)

# 手动计算批量雅可比：每个样本的输出只依赖它自己的输入，所以对所有样本求和的梯度就是每个样本的梯度
outputs = tf.reshape(tf.transpose(f, [0, 2, 1]), [timesteps * num_units, batch_size])
rows = tf.map_fn(lambda i: tf.gradients(outputs[i], inputs)[0], tf.range(timesteps * num_units), dtype=tf.float32)

# 整理形状为 (batch_size, timesteps, num_units, timesteps, inp_dim)
rows = tf.reshape(rows, [timesteps, num_units, timesteps, batch_size, inp_dim])
jacobian = tf.transpose(rows, [3, 0, 1, 2, 4])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    grads = sess.run(jacobian, feed_dict={inputs: np.ones((timesteps, batch_size, inp_dim))})
    print(grads.shape)
