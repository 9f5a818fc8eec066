"""exponential"""
