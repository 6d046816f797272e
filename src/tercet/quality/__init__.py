"""Quality estimation: how good is a translation, without a reference (Bojar et al. 2014, section 4)?

measures     numbers of sentences: MAE, RMSE, DeltaAvg, correlations
sentences    submissions of sentences, measured and tested
wordlevel    tags of words: confusion matrices ──> F1, MCC, accuracy
typologies   trees of error types, from fine tags to coarse ones
words        submissions of tags, mapped, measured and tested; trivial baselines, consistency
spans        error spans: WMT25's weighted F1, and matching with partial overlap and partial credit
winners      who is best, and who does not differ from the best or the baseline
evaluation   `qe_evaluate`: predictions against true labels
labels       `qe_labels`: true labels from post-edits and judgements
conformal    intervals and thresholds that hold with a stated probability
features     what is seen of a translation: the seventeen of the shared tasks, and more
learners     scikit-learn trains, numbers predict; selection by cross-validation
tagging      tags of words: a linear chain, or a forest
model        a trained model: a folder of JSON, arrays and resources
training     `qe_train`; predict: `qe_predict`; decide: `qe_decide`; metric: the model as a metric
"""
