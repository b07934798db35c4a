// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/words.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <algorithm>

#include "base/text/utf8.hpp"

namespace base::text {

namespace {

// The text that is indexed; anything beyond it is not searchable.
constexpr std::size_t most_bytes = 64 << 10, most_word_bytes = 80;

constexpr struct {
    char32_t first, last;
} unspaced_blocks[] = {
    {0x0E00, 0x0EFF},    // Thai, Lao
    {0x0F00, 0x0FFF},    // Tibetan
    {0x1000, 0x109F},    // Myanmar
    {0x1100, 0x11FF},    // Hangul Jamo
    {0x1780, 0x17FF},    // Khmer
    {0x2E80, 0x2FDF},    // CJK radicals
    {0x3005, 0x3007},    // iteration mark, closing mark, zero
    {0x3031, 0x3035},    // kana repeat marks
    {0x3041, 0x30FF},    // kana
    {0x3105, 0x312F},    // Bopomofo
    {0x3130, 0x318F},    // Hangul Compatibility Jamo
    {0x31A0, 0x31BF},    // Bopomofo Extended
    {0x31F0, 0x31FF},    // Katakana Phonetic Extensions
    {0x3400, 0x4DBF},    // CJK Extension A
    {0x4E00, 0x9FFF},    // CJK
    {0xA960, 0xA97F},    // Hangul Jamo Extended-A
    {0xAC00, 0xD7FF},    // Hangul
    {0xF900, 0xFAFF},    // CJK Compatibility Ideographs
    {0x1B000, 0x1B16F},  // kana supplements
    {0x20000, 0x3FFFF},  // CJK Extensions B and up
};

constexpr struct {
    char32_t from;
    std::string_view to;
} without_decomposition[] = {
    {0x00E6, "ae"},
    {0x00F0, "d"},
    {0x00F8, "o"},
    {0x00FE, "th"},
    {0x0111, "d"},
    {0x0127, "h"},
    {0x0131, "i"},
    {0x0138, "k"},
    {0x0142, "l"},
    {0x014B, "n"},
    {0x0153, "oe"},
    {0x0167, "t"},
};

bool unspaced(char32_t c) {
    return c >= 0x0E00 &&
           std::ranges::any_of(unspaced_blocks, [c](auto b) { return c >= b.first && c <= b.last; });
}

bool in_word(char32_t c) {
    if (c < 0x80) return is_ascii_alnum(c);
    constexpr auto kept = U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK;
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & kept) != 0;
}

// Accents, vowel points and the like, but not the signs that form another letter in Indic scripts and kana.
bool is_accent(char32_t c) { return c >= 0x300 && u_getCombiningClass(static_cast<UChar32>(c)) >= 10; }

// NFKC with case folded; empty if ICU refuses.
std::vector<UChar> folded(std::string_view text) {
    auto error = U_ZERO_ERROR;
    auto size = static_cast<int32_t>(text.size());
    std::vector<UChar> raw(text.size() + 1);
    int32_t used = 0;
    u_strFromUTF8WithSub(raw.data(), size + 1, &used, text.data(), size, 0xFFFD, nullptr, &error);
    const auto* form = unorm2_getNFKCCasefoldInstance(&error);
    std::vector<UChar> out(static_cast<std::size_t>(used) * 2 + 16);
    auto n = unorm2_normalize(form, raw.data(), used, out.data(), static_cast<int32_t>(out.size()), &error);
    if (error == U_BUFFER_OVERFLOW_ERROR) {
        error = U_ZERO_ERROR;
        out.resize(static_cast<std::size_t>(n));
        n = unorm2_normalize(form, raw.data(), used, out.data(), n, &error);
    }
    if (U_FAILURE(error)) return {};
    out.resize(static_cast<std::size_t>(n));
    return out;
}

void append_without_accent(std::string& out, char32_t c) {
    if (c < 0xC0) return append_utf8(out, c);
    for (auto [from, to] : without_decomposition)
        if (c == from) {
            out += to;
            return;
        }
    auto error = U_ZERO_ERROR;
    UChar parts[32];
    auto n =
        unorm2_getDecomposition(unorm2_getNFCInstance(&error), static_cast<UChar32>(c), parts, 32, &error);
    if (U_FAILURE(error) || n < 0) return append_utf8(out, c);
    for (int32_t i = 0; i < n;) {
        UChar32 part = 0;
        U16_NEXT(parts, i, n, part);
        if (!is_accent(static_cast<char32_t>(part))) append_utf8(out, static_cast<char32_t>(part));
    }
}

// Passes each spaced word, and each run of unspaced characters, to its callback, in order.
template <class Word, class Run>
void split(std::string_view text, Word&& word, Run&& run) {
    if (text.size() > most_bytes) {
        auto end = most_bytes;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
        text = text.substr(0, end);
    }
    std::string spaced;
    std::vector<std::string> characters;
    auto flush = [&] {
        if (!spaced.empty()) word(std::exchange(spaced, {}));
        if (!characters.empty()) run(std::exchange(characters, {}));
    };
    auto units = folded(text);
    for (std::size_t i = 0; i < units.size();) {
        char32_t c = units[i++];
        if (U16_IS_LEAD(c) && i < units.size() && U16_IS_TRAIL(units[i]))
            c = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(c, units[i++]));
        if (is_accent(c)) continue;
        if (!in_word(c)) {
            flush();
        } else if (unspaced(c)) {
            if (!spaced.empty()) flush();
            append_utf8(characters.emplace_back(), c);
        } else {
            if (!characters.empty()) flush();
            if (spaced.size() < most_word_bytes) append_without_accent(spaced, c);
        }
    }
    flush();
}

void append_pairs(std::vector<std::string>& out, const std::vector<std::string>& run) {
    for (std::size_t i = 0; i + 1 < run.size(); ++i) out.push_back(run[i] + run[i + 1]);
}

}  // namespace

// The last character of a run is also added alone, so that every character begins a word.
std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    split(
        text,
        [&](std::string word) { out.push_back(std::move(word)); },
        [&](const std::vector<std::string>& run) {
            append_pairs(out, run);
            out.push_back(run.back());
        }
    );
    return out;
}

Phrase phrase(std::string_view text) {
    Phrase phrase;
    bool pairs = false;  // the last word so far is a pair whose second character may continue
    std::string last;
    auto close = [&] {
        if (pairs || phrase.open) {
            if (pairs) phrase.words.push_back(last);
            pairs = phrase.open = false;
        }
    };
    split(
        text,
        [&](std::string word) {
            close();
            phrase.words.push_back(std::move(word));
        },
        [&](const std::vector<std::string>& run) {
            close();
            append_pairs(phrase.words, run);
            pairs = run.size() > 1;
            phrase.open = !pairs;
            last = run.back();
            if (phrase.open) phrase.words.push_back(last);
        }
    );
    return phrase;
}

}  // namespace base::text
