#error the hand-in's own
