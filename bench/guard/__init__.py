"""Instruction counts of the native path, held against a committed baseline."""
