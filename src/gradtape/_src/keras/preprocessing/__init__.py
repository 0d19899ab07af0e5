"""Layers that prepare data: numbers, categories, text, images."""
