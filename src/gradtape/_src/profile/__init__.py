"""Where the time goes: what is measured (`record`), how (`hooks`), and the two reports (`table`, `trace`)."""
