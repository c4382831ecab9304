"""The whole answer of one file: the screen of analyze, the page of report, the doctor."""
