"""An example of a package that extends Tercet; docs/extend.md explains it."""
