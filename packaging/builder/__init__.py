"""What packaging/build.py is made of; the standard library only, since it runs before anything is installed."""
