"""The code of gradtape; `docs/design.md` says how it is built."""

from gradtape._src.core.allocation import keep_freed_memory

keep_freed_memory()
