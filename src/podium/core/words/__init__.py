"""Facts that travel, and what makes English of them: voices, phrases, statements, presentation."""
