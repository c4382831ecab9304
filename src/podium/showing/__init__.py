"""What people see: terminal, plots, screens, pages."""
