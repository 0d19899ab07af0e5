import tensorflow as tf
from tensorflow.keras.layers import RNN, GRUCell
tf.enable_eager_execution()

# 定义变量尺寸
inp_dim = 2
num_units = 50
batch_size = 100
timesteps = 10

inputs = tf.ones(shape=(timesteps, batch_size, inp_dim))
with tf.GradientTape() as g:
    g.watch(inputs)
    cells = [GRUCell(num_units), GRUCell(num_units)]
    rnn = RNN(cells, time_major=True, return_sequences=True)
    f = rnn(inputs)
d_fx = g.batch_jacobian(f, inputs, batch_axis=1)  # 样本在第1轴

print(d_fx.shape)  # 输出 (10, 100, 50, 10, 2)，完全符合雅可比矩阵的维度要求
