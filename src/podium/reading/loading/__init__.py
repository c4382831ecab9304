"""One loader: whatever a file or folder holds becomes record sets, tables of columns by path."""
