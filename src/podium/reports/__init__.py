"""Reports: sections of text, tables and figures (`document`), rendered from templates as one page.

`sections` asks the records in `document.SECTIONS`; `section_*` make them, with words from
`wording/page_*` and numbers from below. `latex` is the table of scores that papers print.
"""
