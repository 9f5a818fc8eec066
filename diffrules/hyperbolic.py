"""hyperbolic"""
