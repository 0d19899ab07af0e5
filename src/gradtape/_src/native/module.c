/* The library as a Python module: each kernel is called with its arrays (or None), the number of columns, how many are taken
at once, and how many threads may help. The arrays are float32; the Python side sees to their shapes. The interpreter runs
other threads meanwhile. */

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "threads.h"

enum { MOST_ARRAYS = 8 };

static int take(PyObject *x, Py_buffer *view, Array *y) {
    if (PyObject_GetBuffer(x, view, PyBUF_STRIDES | PyBUF_FORMAT) < 0) return -1;
    int known = !strcmp(view->format, "f") || !strcmp(view->format, "i");
    if (view->itemsize != sizeof(float) || !known || view->ndim > MAX_RANK) {
        PyErr_Format(PyExc_TypeError, "expected a float32 array of at most %d axes, received format %s and %d axes",
                     MAX_RANK, view->format, view->ndim);
        PyBuffer_Release(view);
        return -1;
    }
    y->data = view->buf;
    y->rank = view->ndim;
    for (int i = 0; i < view->ndim; i++) {
        y->shape[i] = view->shape[i];
        y->step[i] = view->strides[i] / (Py_ssize_t)sizeof(float);
    }
    return 0;
}

static PyObject *call(PyObject *args, Kernel kernel) {
    Py_ssize_t n = PyTuple_Size(args) - 3, taken = 0;
    if (n < 0 || n > MOST_ARRAYS) return PyErr_Format(PyExc_TypeError, "expected arrays and three numbers");
    long columns = PyLong_AsLong(PyTuple_GetItem(args, n)), portion = PyLong_AsLong(PyTuple_GetItem(args, n + 1));
    long helpers = PyLong_AsLong(PyTuple_GetItem(args, n + 2));
    if (PyErr_Occurred()) return NULL;
    Array arrays[MOST_ARRAYS] = {0};
    Py_buffer views[MOST_ARRAYS] = {0};
    int result = 0;
    for (; taken < n; taken++) {
        PyObject *x = PyTuple_GetItem(args, taken);
        if (x != Py_None && (result = take(x, views + taken, arrays + taken)) < 0) break;
    }
    if (result == 0) {
        Py_BEGIN_ALLOW_THREADS
        result = on_all_cores(kernel, arrays, columns, portion, helpers);
        Py_END_ALLOW_THREADS
        if (result == NO_MEMORY) PyErr_NoMemory();
        if (result == NO_SUCH_CLASS) PyErr_SetString(PyExc_IndexError, "no such class");
    }
    while (taken-- > 0)
        if (views[taken].obj) PyBuffer_Release(views + taken);
    if (result < 0) return NULL;
    Py_RETURN_NONE;
}

#ifdef HAS_AVX2_KERNELS
static int has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#define SUITABLE(name) (has_avx2() ? name##_for_avx2 : name##_for_any)
#else
#define SUITABLE(name) name##_for_any
#endif

#define CALL(name) \
    static PyObject *call_##name(PyObject *self, PyObject *args) { return (void)self, call(args, SUITABLE(name)); }
EVERY_KERNEL(CALL)

#define ROW(name) {#name, call_##name, METH_VARARGS, NULL},
static PyMethodDef methods[] = {EVERY_KERNEL(ROW){NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_kernels", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__kernels(void) { return PyModuleDef_Init(&module); }
