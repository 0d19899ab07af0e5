import tensorflow as tf
tf.reset_default_graph()
x = tf.constant([1., 2., 3.])
with tf.GradientTape(persistent=True) as gg:
    gg.watch(x)
    f1 = tf.map_fn(lambda a: a**2, x)
    f2 = x*x
# 计算梯度
d_fx1 = gg.gradient(f1, x)
d_fx2 = gg.gradient(f2, x)
del gg
with tf.Session() as sess:
    d1, d2 = sess.run((d_fx1, d_fx2))
    print(d1, d2)  # 输出 [2. 4. 6.] [2. 4. 6.]
