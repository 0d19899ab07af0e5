"""The library of C kernels; all else about the package is in pyproject.toml.

One library serves all versions of Python. Without a C compiler the package is built without it (`optional`).
"""

from glob import glob

from setuptools import Extension, setup

HERE = "src/gradtape/_src/native"

setup(
    ext_modules=[
        Extension(
            "gradtape._src.native._kernels",
            [f"{HERE}/{name}.c" for name in ("for_any", "for_avx2", "module", "threads")],
            depends=[*glob(f"{HERE}/*.h"), *glob(f"{HERE}/*.c")],
            extra_compile_args=["-O3", "-std=gnu11", "-g0", "-Wno-psabi"],
            optional=True,
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
