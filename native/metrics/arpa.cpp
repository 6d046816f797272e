#include "metrics/arpa.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tercet {

namespace {

constexpr int64_t kMostNgrams = int64_t{1} << 27;
constexpr float kUnknown = -100;  // log10, of a word that a model without <unk> does not know; KenLM's
constexpr std::string_view kBlank = " \t\r";

std::string_view stripped(std::string_view line) {
    const size_t first = line.find_first_not_of(kBlank);
    if (first == line.npos) return {};
    return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

void split(std::string_view line, std::vector<std::string_view>& out) {
    out.clear();
    for (size_t at = 0; at < line.size();) {
        const size_t end = std::min(line.find_first_of(kBlank, at), line.size());
        if (end > at) out.push_back(line.substr(at, end - at));
        at = end + 1;
    }
}

template <class Number>
bool parse(std::string_view text, Number& out) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

uint64_t key_of(uint32_t history, int32_t word) {
    return static_cast<uint64_t>(history) << 32 | (static_cast<uint64_t>(word) + 1);
}

}  // namespace

std::string ArpaModel::read(std::string_view line) {
    line = stripped(line);
    if (part_ == Part::after || line.empty()) return "";
    if (part_ == Part::before) {
        if (line == "\\data\\") part_ = Part::counts;
        return "";
    }
    if (line == "\\end\\") {
        part_ = Part::after;
        if (current_ != order()) return "\\end\\ before the n-grams of every order";
        return end_order();
    }
    if (line.front() == '\\' && line.ends_with("-grams:")) return begin_order(line);
    return part_ == Part::counts ? read_count(line) : read_ngram(line);
}

std::string ArpaModel::read_count(std::string_view line) {
    const size_t equals = line.find('=');
    int order_read = 0;
    int64_t count = -1;
    if (!line.starts_with("ngram ") || equals == line.npos || !parse(stripped(line.substr(6, equals - 6)), order_read) ||
        !parse(stripped(line.substr(equals + 1)), count))
        return "after \\data\\ there must be lines like `ngram 1=1000`";
    if (order_read != order() + 1 || order_read > kMostOrder) return "orders must rise from 1, to 16 at most";
    if (count < 0 || count > kMostNgrams) return "the number of n-grams is beyond what is read (134 million an order)";
    declared_.push_back(count);
    return "";
}

std::string ArpaModel::begin_order(std::string_view line) {
    int order_read = 0;
    if (!parse(line.substr(1, line.find('-') - 1), order_read)) return "this is no heading like `\\1-grams:`";
    if (order_read != current_ + 1 || order_read > order()) return "the orders must come one after the other";
    std::string wrong = current_ == 0 ? "" : end_order();
    current_ = order_read;
    seen_ = 0;
    part_ = Part::ngrams;
    return wrong;
}

std::string ArpaModel::end_order() const {
    if (current_ == 0 || seen_ == declared_[current_ - 1]) return "";
    return std::to_string(seen_) + " " + std::to_string(current_) + "-grams where " +
           std::to_string(declared_[current_ - 1]) + " were announced";
}

std::string ArpaModel::read_ngram(std::string_view line) {
    split(line, fields_);
    const auto n = static_cast<size_t>(current_);
    float probability = 0, backoff = 0;
    if (fields_.size() != n + 1 && fields_.size() != n + 2)
        return "an entry is a log10 probability, " + std::to_string(n) + " words and perhaps a back-off";
    if (!parse(fields_[0], probability) || !(probability <= 0) || std::isinf(probability))
        return "the log10 probability is no number of 0 or less";
    if (fields_.size() == n + 2 && (!parse(fields_[n + 1], backoff) || !std::isfinite(backoff)))
        return "the back-off is no number";
    if (current_ == order() && backoff != 0) return "n-grams of the highest order have no back-off";
    if (++seen_ > declared_[n - 1]) return "there are more n-grams than were announced";
    Node history = kNone;
    for (size_t i = 1; i < n; ++i) {
        const int32_t word = words_.find(fields_[i]);
        history = word < 0 ? kNone : child(history, word);
        if (history == kNone) return "its words but the last are no n-gram of the order before";
    }
    ++size_;
    if (n == 1) {
        if (words_.add(fields_[1]) != static_cast<int32_t>(unigrams_.size()) - 1) return "it is there twice";
        unigrams_.push_back(probability);
        backoffs_.push_back(backoff);
        return "";
    }
    const int32_t last = words_.find(fields_[n]);
    if (last < 0) return "its last word is no unigram";
    const bool longest = current_ == order();
    const Node node = longest ? kNone : static_cast<Node>(backoffs_.size());
    if (!ngrams_.insert(key_of(history, last), {node, probability})) return "it is there twice";
    if (!longest) backoffs_.push_back(backoff);
    return "";
}

std::string ArpaModel::finish() {
    if (part_ == Part::before) return "there is no line \\data\\";
    if (part_ != Part::after) return "there is no line \\end\\";
    begin_ = words_.find("<s>");
    end_ = words_.find("</s>");
    if (begin_ < 0 || end_ < 0) return "<s> and </s> are no unigrams";
    unknown_ = words_.find("<unk>");
    if (unknown_ < 0) unknown_ = words_.find("<UNK>");
    if (unknown_ < 0) {  // its number is taken by another n-gram, so that it gets one more word and no node
        unknown_ = words_.add("<unk>");
        unigrams_.push_back(kUnknown);
        ++size_;
    }
    finished_ = true;
    return "";
}

ArpaModel::Node ArpaModel::child(Node history, int32_t word) const {
    if (history == kNone) return word < declared_[0] ? static_cast<Node>(word) + 1 : kNone;
    const Ngram* known = ngrams_.find(key_of(history, word));
    return known == nullptr ? kNone : known->node;
}

// Order by order over the whole row: no look waits for the one before it, so that memory answers several at a time.
void ArpaModel::look_up(const Tokens& tokens, int64_t row, bool whole_sentence, Reading& out) const {
    out.words.clear();
    Pace pace;
    if (whole_sentence) out.words.push_back(begin_);
    for (int64_t w = tokens.rows[row]; w < tokens.rows[row + 1]; ++w) {
        pace.steps(16);
        const int32_t word = words_.find(tokens.words[w]);
        out.words.push_back(word < 0 ? unknown_ : word);
    }
    if (whole_sentence) out.words.push_back(end_);
    const size_t n = out.words.size(), highest = declared_.size();
    out.probabilities.resize(n);
    out.matched.assign(n, 1);
    out.nodes.assign(n * highest, kNone);
    for (size_t i = 0; i < n; ++i) {
        out.probabilities[i] = unigrams_[out.words[i] + 1];
        out.nodes[i] = child(kNone, out.words[i]);
    }
    for (size_t k = 2; k <= highest; ++k) {
        const Node* histories = out.nodes.data() + (k - 2) * n;
        Node* nodes = out.nodes.data() + (k - 1) * n;
        for (size_t i = k - 1; i < n; ++i) {
            pace.steps(4);
            if (histories[i - 1] == kNone) continue;
            const Ngram* known = ngrams_.find(key_of(histories[i - 1], out.words[i]));
            if (known == nullptr) continue;
            nodes[i] = known->node;
            out.probabilities[i] = known->probability;
            out.matched[i] = static_cast<uint8_t>(k);
        }
    }
}

// visit(log10 of the probability, words of the longest n-gram known) for each word after its history.
template <class Visit>
void ArpaModel::follow(const Tokens& tokens, int64_t row, bool whole_sentence, const Visit& visit) const {
    const OfThread<Reading> scratch;
    Reading& read = *scratch;
    look_up(tokens, row, whole_sentence, read);
    const size_t n = read.words.size(), longest = declared_.size() - 1;
    for (size_t i = whole_sentence ? 1 : 0; i < n; ++i) {
        const size_t matched = read.matched[i];
        float probability = read.probabilities[i];
        for (size_t k = matched; k <= std::min(longest, i); ++k) probability += backoffs_[read.nodes[(k - 1) * n + i - 1]];
        visit(probability, read.words[i] == unknown_ ? 0 : matched);
    }
}

float ArpaModel::score(const Tokens& tokens, int64_t row, bool whole_sentence) const {
    float total = 0;
    follow(tokens, row, whole_sentence, [&](float probability, size_t) { total += probability; });
    return total;
}

void ArpaModel::words(const Tokens& tokens, int64_t row, bool whole_sentence, double* out) const {
    follow(tokens, row, whole_sentence, [&](float probability, size_t matched) {
        *out++ = probability;
        *out++ = static_cast<double>(matched);
    });
}

}  // namespace tercet
