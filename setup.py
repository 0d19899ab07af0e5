"""The library of C kernels; all else about the package is in pyproject.toml.

One library serves all versions of Python, by the limited API. Without a C compiler the package is built without it
(`optional`), and so it is for a Python without the GIL, which has no limited API.
"""

import sysconfig
from glob import glob

from setuptools import Extension, setup

HERE = "src/gradtape/_src/native"

library = Extension(
    "gradtape._src.native._kernels",
    [f"{HERE}/{name}.c" for name in ("for_any", "for_avx2", "module", "threads")],
    depends=[*glob(f"{HERE}/*.h"), *glob(f"{HERE}/*.c")],
    extra_compile_args=["-O3", "-std=gnu11", "-g0", "-Wno-psabi"],
    optional=True,
    py_limited_api=True,
)

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    setup()
else:
    setup(ext_modules=[library], options={"bdist_wheel": {"py_limited_api": "cp311"}})
