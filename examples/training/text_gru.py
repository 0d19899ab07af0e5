"""A recurrent network learns a poem by heart, character by character, and then writes on by itself.

It sees 60 characters and is to say, at each of them, which one comes next. To write, it is given its own answer as the
next character, together with the state in which it was.
"""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)

# Robert Louis Stevenson, Bed in Summer, 1885.
TEXT = """In winter I get up at night
And dress by yellow candle-light.
In summer, quite the other way,
I have to go to bed by day.

I have to go to bed and see
The birds still hopping on the tree,
Or hear the grown-up people's feet
Still going past me in the street.

And does it not seem hard to you,
When all the sky is clear and blue,
And I should like so much to play,
To have to go to bed by day?
"""
LENGTH = 60

characters = sorted(set(TEXT))
number = {c: i for i, c in enumerate(characters)}
codes = tf.constant([number[c] for c in TEXT])
windows = tf.data.Dataset.from_tensor_slices(codes).window(LENGTH + 1, shift=3, drop_remainder=True)
windows = windows.flat_map(lambda window: window.batch(LENGTH + 1))
batches = windows.map(lambda w: (w[:-1], w[1:])).cache().shuffle(500, seed=0).batch(32)


class Writer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(len(characters), 24)
        self.gru = tf.keras.layers.GRU(128, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(len(characters))

    def call(self, x, state=None):
        y, state = self.gru(self.embedding(x), initial_state=state)
        return self.dense(y), state


model = Writer()
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(5e-3, clipnorm=1.0)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits, _ = model(x)
        loss = loss_of(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def write(start, n, temperature=0.5):
    """Goes on from `start` by n characters, each drawn from what the network expects."""
    state, text, x = None, start, [number[c] for c in start]
    for _ in range(n):
        logits, state = model(tf.constant([x]), state)
        x = [int(tf.random.categorical(logits[:, -1] / temperature, 1)[0, 0])]
        text += characters[x[0]]
    return text


for epoch in range(1, 41):
    losses = [float(train_step(x, y)) for x, y in batches]
    if epoch % 10 == 0:
        print(f"epoch {epoch:2}: loss {sum(losses) / len(losses):.4f}  {write('I', 40)!r}")

written = write("And ", 200)
words = written.split()[:-1]
print(written)
print(f"share of words that are the poem's: {sum(word in TEXT.split() for word in words) / len(words):.2f}")
print(f"loss: {sum(losses) / len(losses):.4f}")
