// Translations beside each of their references, their words as small numbers: what the participants' kernels share.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ngrams.hpp"
#include "common/parallel.hpp"
#include "text/text.hpp"

namespace tercet {

struct WordPair {
    Vocabulary vocabulary;
    std::vector<int32_t> hyp, ref;

    void read(const Tokens& hyps, int64_t i, const Tokens& refs, int64_t r) {
        vocabulary.reset(static_cast<size_t>(hyps.length(i) + refs.length(r)));
        const auto number = [this](std::string_view word) { return vocabulary.add(word); };
        read_row(hyps, i, number, hyp);
        read_row(refs, r, number, ref);
    }
};

// Calls body(scratch, row) for every reference with its translation in scratch.words; row is the reference's number.
template <class Scratch, class Body>
void each_reference(const Tokens& hyps, const Tokens& refs, Groups groups, int threads, const Body& body) {
    parallel_blocks(hyps.size, threads, 16, [&](int64_t begin, int64_t end) {
        const Lease<Scratch> lease;
        Scratch& scratch = *lease;
        for (int64_t i = begin; i < end; ++i)
            for (int64_t r = groups[i]; r < groups[i + 1]; ++r) {
                scratch.words.read(hyps, i, refs, r);
                body(scratch, r);
            }
    });
}

}  // namespace tercet
