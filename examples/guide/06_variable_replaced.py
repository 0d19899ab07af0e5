import tensorflow as tf

# 1.使用张量替换变量, 梯度带自动监视tf.Variable,但不会监视tf.tensor
x = tf.Variable(2.0)

for epoch in range(2):
    with tf.GradientTape() as tape:
        y = x+1
    
    print(type(x).__name__, ":", tape.gradient(y,x))
    x = x+1
