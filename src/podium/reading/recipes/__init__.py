"""Recipes: what the columns of a source are, as a short TOML file; known tools are recipes.

`recipe` has the record and its grammar, `applying` makes scores of a source by a recipe, `shipped/`
holds those of known tools, and `known` makes formats of them and of a user's own.
"""
