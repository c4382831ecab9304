"""One reading: what each column of a table is, inferred from its name and from what it holds.

`column_facts` looks at single columns, `inference` gives them roles (a recipe, and what is open),
`asking` reads by it, or asks everything that is open at once.
"""
