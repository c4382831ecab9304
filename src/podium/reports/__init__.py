"""Reports: `sections.py` turns results into text and tables, `render.py` into one page of HTML."""
