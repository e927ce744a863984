file(WRITE "$ENV{NBODY_HOSTILE_CANARY}" changed)
execute_process(COMMAND touch /tmp/hostile-left-cmake)
