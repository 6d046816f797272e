// Segment statistics of the metrics: packed text in, one row of numbers a segment out.
//
// Every function fills `out` (segments x k, row-major), works on blocks of segments on `threads` threads, and
// gives the same bits whatever their number.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "common/ngrams.hpp"
#include "text/text.hpp"

namespace tercet {

enum class ReferenceLength { closest, shortest, average };

// [hypothesis length, reference length, matches of order 1.., totals of order 1..]
void bleu_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int order, ReferenceLength length,
                     int threads, double* out);

struct ChrfOptions {
    int char_order = 6, word_order = 0;
    double beta = 2;
    bool whitespace = false;     // keep white space among the characters (sacreBLEU)
    bool eps_smoothing = false;  // choose the best reference by the mean of the orders' F (sacreBLEU)
    bool original = false;       // chrF++.py instead of sacreBLEU
};
// [hypothesis count, reference count, matches] for each character order, then for each word order
void chrf_statistics(const Lines& hyps, const Lines& refs, Groups groups, const ChrfOptions& options, int threads,
                     double* out);

// n-gram counts of all references, from which NIST takes its information weights.
class InformationTable {
  public:
    explicit InformationTable(int order) : order_(order) { index_.reset(1024); }
    void add(const Tokens& refs);
    // The information of the n-grams from each word of the references on, in `out` (words x order): 0 where there is no
    // such n-gram, or where it was not added.
    void weigh(const Tokens& refs, int threads, double* out) const;
    int order() const { return order_; }

  private:
    // -log2 of the n-gram's probability given all but its last word; its number comes from `find`.
    double information(uint32_t ngram) const;
    uint32_t find(uint32_t prefix, int32_t word) const { return word < 0 ? 0 : index_.find(prefix, word); }

    struct Entry {
        int64_t count = 0;
        uint32_t prefix = 0;
    };
    int order_;
    NgramIndex index_;
    Vocabulary vocabulary_;
    std::deque<std::string> kept_;  // the vocabulary holds views into these
    std::vector<Entry> entries_{Entry{}};
    int64_t words_ = 0;
    uint32_t zero_ = 0;  // the unigram "0", which mteval takes for no prefix at all
};
// [words, reference words over the number of references, then for each order: information, hypothesis n-grams], with
// what InformationTable::weigh gives for the references
void nist_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, const double* weights, int order,
                     int threads, double* out);

enum class Distance { wer, cder };
// [edits, reference length]; `best` takes the reference of the lowest rate, otherwise Moses' rule decides
void edit_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, Distance kind, bool best, int threads,
                     double* out);

// [words in common, hypothesis length, reference length]
void per_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, double* out);

// [edits, mean reference length], as sacreBLEU counts
void ter_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, double* out);

// [edits, mean reference length], both times 100 and cut to whole numbers, as Moses counts
void moses_ter_statistics(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, double* out);

}  // namespace tercet
