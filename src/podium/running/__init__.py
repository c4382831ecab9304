"""Running studies and asking stores: verbs, commands, what is said at the end."""
