"""Extrinsic evaluation: what translated queries find in a collection (Bojar et al. 2014, section 5).

measures     the measures of trec_eval, by way of pytrec_eval
bm25         a small search engine, for queries that come without a run
evaluation   `retrieval`: runs or queries against relevance judgements, with a ceiling and tests
"""
