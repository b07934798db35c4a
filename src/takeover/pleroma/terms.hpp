// SPDX-License-Identifier: AGPL-3.0-or-later
// Terms of Erlang as its external term format writes them: what the config table holds.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takeover::pleroma {

struct Term {
    enum class Kind { other, atom, text, number, list, tuple };
    Kind kind = Kind::other;
    std::string word;  // of atoms and texts
    std::int64_t value = 0;
    std::vector<Term> items;  // a map is a list of pairs

    // In a list of pairs, as configurations are.
    const Term* find(std::string_view name) const;
    std::string text_of(std::string_view name) const;
    bool is_true(std::string_view name) const;
};

// Of bytes. Nothing: they are no term, or hold what no configuration holds.
std::optional<Term> term_of(std::string_view bytes);

}  // namespace takeover::pleroma
