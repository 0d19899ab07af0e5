"""Runs all programs of a script, and prints which of their gradients are None."""


def run(programs):
    for name, program in list(programs.items()):
        if name.startswith("p_"):
            found = program()
            found = found if isinstance(found, (list, tuple)) else [found]
            print(name, ["None" if g is None else "grad" for g in found])
