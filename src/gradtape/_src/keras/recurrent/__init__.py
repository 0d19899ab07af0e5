"""Recurrent layers: cells, what runs them along the steps, and the layers made of them."""
