import tensorflow as tf
tf.reset_default_graph()
x = tf.constant([1., 2., 3.])
f1 = tf.map_fn(lambda a: a**2, x)
f2 = x*x

# tf.gradients返回梯度列表，取第一个元素就是对应输入的梯度
d_fx1 = tf.gradients(f1, x)[0]
d_fx2 = tf.gradients(f2, x)[0]

with tf.Session() as sess:
    d1, d2 = sess.run((d_fx1, d_fx2))
    print(d1, d2)  # 输出正常的梯度结果
