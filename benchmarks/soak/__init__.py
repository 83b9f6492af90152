"""The web server under mixed play for a long time: does it lose anything, and does it keep what it should let go?"""
