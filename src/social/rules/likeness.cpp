// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/likeness.hpp"

#include "base/text/utf8.hpp"
#include "social/rules/reading.hpp"

#include <algorithm>

namespace rules {

namespace {

constexpr std::size_t longest_read = 20'000;

std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

bool is_left_out(std::string_view token) {
    return token.starts_with('@') || token.starts_with('#') || token.starts_with("http://") ||
           token.starts_with("https://");
}

class WordHashes {
public:
    void add(char c) { hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL, filled_ = true; }
    void end() {
        if (filled_) found.push_back(hash_);
        hash_ = start, filled_ = false;
    }
    // What words_of() makes of it, which takes ten times as long where it has to look at every letter.
    void take(std::string_view token) {
        const bool plain =
            std::ranges::all_of(token, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        if (!plain) {
            for (const auto& word : words_of(token)) {
                for (char c : word) add(c);
                end();
            }
            return;
        }
        for (char c : token) {
            c = base::text::ascii_lower(c);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) add(c);
            else end();
        }
        end();
    }
    std::vector<std::uint64_t> found;

private:
    static constexpr std::uint64_t start = 0xcbf29ce484222325ULL;
    std::uint64_t hash_ = start;
    bool filled_ = false;
};

}  // namespace

Sketch sketch(std::string_view text) {
    text = text.substr(0, longest_read);
    WordHashes words;
    for (std::size_t i = 0; i < text.size();) {
        while (i < text.size() && is_space(text[i])) ++i;
        auto begin = i;
        while (i < text.size() && !is_space(text[i])) ++i;
        if (auto token = text.substr(begin, i - begin); !is_left_out(token)) words.take(token);
    }
    Sketch out;
    if (words.found.size() < fewest_words) return out;
    std::vector<std::uint32_t> pairs;
    pairs.reserve(words.found.size());
    for (std::size_t i = 0; i + 1 < words.found.size(); ++i) {
        auto hash = static_cast<std::uint32_t>(mixed(words.found[i] * 31 + words.found[i + 1]));
        pairs.push_back(std::max(hash, 1U));
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::copy_n(pairs.begin(), std::min(pairs.size(), out.parts.size()), out.parts.begin());
    return out;
}

// Of the smallest of both together, how many stand in both.
bool near(const Sketch& a, const Sketch& b) {
    if (a.empty() || b.empty()) return false;
    std::size_t all = 0, shared = 0, i = 0, j = 0;
    auto at = [](const Sketch& one, std::size_t k) {
        return k < one.parts.size() && one.parts[k] != 0 ? std::uint64_t{one.parts[k]} : UINT64_MAX;
    };
    for (; all < a.parts.size(); ++all) {
        auto x = at(a, i), y = at(b, j);
        if (x == UINT64_MAX && y == UINT64_MAX) break;
        shared += x == y;
        i += x <= y;
        j += y <= x;
    }
    return shared * 2 >= all;
}

}  // namespace rules
