"""Is the new one worse than the old one?"""
