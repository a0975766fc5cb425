"""Starts the peers' servers and programs, and puts their figures together."""
