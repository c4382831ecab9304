"""What is to be run: data sets, processes, algorithms, losses, samples; a Study lists Runs."""
