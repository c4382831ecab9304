"""The floor: errors, registries, checks of arguments, tables, how numbers are written."""
