import tensorflow as tf
tf.enable_eager_execution()  # 开启Eager模式，不用再写Session了
x = tf.constant([1., 2., 3.])
with tf.GradientTape(persistent=True) as gg:
    gg.watch(x)
    f1 = tf.map_fn(lambda a: a**2, x)
    f2 = x*x
d_fx1 = gg.gradient(f1, x)
d_fx2 = gg.gradient(f2, x)
del gg
print(d_fx1.numpy(), d_fx2.numpy())  # 直接输出结果
