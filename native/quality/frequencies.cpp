#include "quality/frequencies.hpp"

#include <charconv>

namespace tercet {

namespace {

uint64_t key_of(uint32_t parent, int32_t word) {
    return static_cast<uint64_t>(parent) << 32 | (static_cast<uint64_t>(word) + 1);
}

}  // namespace

NgramFrequencies::Node NgramFrequencies::child(Node parent, int32_t word) const {
    if (word < 0) return 0;
    const Node* node = nodes_.find(key_of(parent, word));
    return node == nullptr ? 0 : *node;
}

std::string NgramFrequencies::add(std::string_view line) {
    const size_t tab = line.rfind('\t');
    int64_t count = 0;
    if (tab == line.npos || tab == 0) return "an entry is the words of an n-gram, a tab and how often it occurs";
    const std::string_view number = line.substr(tab + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (error != std::errc() || end != number.data() + number.size() || count < 1)
        return "how often it occurs is no whole number of 1 or more";
    Node node = 0;
    std::string_view rest = line.substr(0, tab);
    while (true) {
        const size_t blank = std::min(rest.find(' '), rest.size());
        if (blank == 0) return "words are separated by one blank each";
        const int32_t word = words_.add(rest.substr(0, blank));
        Node next = child(node, word);
        if (next == 0) {
            next = static_cast<Node>(counts_.size());
            nodes_.insert(key_of(node, word), next);
            counts_.push_back(0);
        }
        node = next;
        if (blank == rest.size()) break;
        rest.remove_prefix(blank + 1);
    }
    if (counts_[node] != 0) return "it is there twice";
    counts_[node] = count;
    ++size_;
    return "";
}

void NgramFrequencies::look_up(const Tokens& text, int64_t row, int n, int64_t* out) const {
    std::vector<int32_t> ids;
    for (int64_t w = text.rows[row]; w < text.rows[row + 1]; ++w) ids.push_back(words_.find(text.words[w]));
    Pace pace;
    for (size_t first = 0; first + n <= ids.size(); ++first) {
        Node node = child(0, ids[first]);
        pace.steps(8 * n);
        for (int k = 1; k < n && node != 0; ++k) node = child(node, ids[first + k]);
        out[first] = counts_[node];
    }
}

}  // namespace tercet
