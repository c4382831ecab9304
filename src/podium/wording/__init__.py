"""Facts to English, one voice each for terminal, page and paper; nothing else builds sentences."""
