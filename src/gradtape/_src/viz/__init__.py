"""Pictures of tapes: `tape.picture()`, `gradtape run --picture`.

A ``Scene`` (scene.py) is what there is to draw: operations, what flows between them, where gradients stop. It is made
(build.py) of a tape (of_tape.py) or of a graph (of_graph.py), folded into drawings of a size that can be read
(fold.py), laid out (layout.py) and written as SVG (svg.py, sheet.py) and as an HTML page (page.py).
"""
