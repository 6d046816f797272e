"""Pages that are made when the documentation is built, a module a kind."""
