def suite(build): return {}
