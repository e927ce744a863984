def graded(*_): return None
