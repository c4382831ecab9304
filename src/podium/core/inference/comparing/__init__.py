"""From a layout and a request to comparisons."""
