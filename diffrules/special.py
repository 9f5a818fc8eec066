"""special"""
