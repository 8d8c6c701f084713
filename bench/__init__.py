import novaluna_site.settings  # noqa: F401 - tells numba, before that is imported, where and how to compile
