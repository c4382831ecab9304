"""What all plots share: canvas, records, rows, emphasis."""
