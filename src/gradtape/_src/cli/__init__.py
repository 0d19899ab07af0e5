"""The command `gradtape`: `main` reads the command line, `run` runs a script, `alias` maps `tensorflow`."""
