# If Python looked here first, it would find this file instead of the standard library's.
open("/tmp/hostile-left-python", "w").close()
