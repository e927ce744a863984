# Where Python looked here first, it would be found in the place of the standard library's.
open("/tmp/hostile-left-python", "w").close()
