"""Published tables of human evaluation, computed again from the raw judgements in ../shared.

python -m replication            the whole table: published, ours, difference; status 1 if something changed
python -m replication --record   write down what came out, after looking at it
"""
