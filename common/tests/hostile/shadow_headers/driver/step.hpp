#error the submission's own
