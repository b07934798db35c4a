// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/pleroma/terms.hpp"

#include <algorithm>

namespace takeover::pleroma {

const Term* Term::find(std::string_view name) const {
    for (const auto& pair : items)
        if (pair.kind == Kind::tuple && pair.items.size() == 2 && pair.items[0].word == name)
            return &pair.items[1];
    return nullptr;
}

std::string Term::text_of(std::string_view name) const {
    const auto* found = find(name);
    return found && found->kind == Kind::text ? found->word : "";
}

bool Term::is_true(std::string_view name) const {
    const auto* found = find(name);
    return found && found->kind == Kind::atom && found->word == "true";
}

namespace {

struct Broken {};

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    Term read(int depth = 0) {
        constexpr int deepest = 40;
        if (depth > deepest) throw Broken{};
        switch (number(1)) {
            case 70: return bytes(8), Term{};
            case 97: return figure(static_cast<std::int64_t>(number(1)));
            case 98: return figure(static_cast<std::int32_t>(number(4)));
            case 100:
            case 118: return word(Term::Kind::atom, number(2));
            case 115:
            case 119: return word(Term::Kind::atom, number(1));
            case 104: return several(Term::Kind::tuple, number(1), depth);
            case 105: return several(Term::Kind::tuple, number(4), depth);
            case 106: return Term{Term::Kind::list, {}, 0, {}};
            case 107: return numbers(number(2));
            case 108: return with_tail(depth);
            case 109: return word(Term::Kind::text, number(4));
            case 110: return bytes(number(1) + 1), Term{};
            case 116: return map(depth);
            default: throw Broken{};
        }
    }
    bool is_done() const { return rest_.empty(); }

private:
    std::string_view bytes(std::size_t size) {
        if (size > rest_.size()) throw Broken{};
        const auto out = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return out;
    }
    std::uint32_t number(std::size_t size) {
        std::uint32_t out = 0;
        for (const char c : bytes(size)) out = out << 8 | static_cast<unsigned char>(c);
        return out;
    }
    static Term figure(std::int64_t value) { return {Term::Kind::number, {}, value, {}}; }
    Term word(Term::Kind kind, std::size_t size) { return {kind, std::string(bytes(size)), 0, {}}; }
    Term several(Term::Kind kind, std::size_t count, int depth) {
        Term out{kind, {}, 0, {}};
        // Each takes a byte at least.
        if (count > rest_.size()) throw Broken{};
        for (std::size_t n = 0; n < count; ++n) out.items.push_back(read(depth + 1));
        return out;
    }
    Term with_tail(int depth) {
        auto out = several(Term::Kind::list, number(4), depth);
        read(depth + 1);
        return out;
    }
    // A list of small numbers is written as a text.
    Term numbers(std::size_t count) {
        Term out{Term::Kind::list, {}, 0, {}};
        for (const char c : bytes(count)) out.items.push_back(figure(static_cast<unsigned char>(c)));
        return out;
    }
    Term map(int depth) {
        const std::size_t pairs = number(4);
        if (pairs > rest_.size()) throw Broken{};
        Term out{Term::Kind::list, {}, 0, {}};
        for (std::size_t n = 0; n < pairs; ++n) out.items.push_back(several(Term::Kind::tuple, 2, depth));
        return out;
    }

    std::string_view rest_;
};

}  // namespace

std::optional<Term> term_of(std::string_view bytes) {
    constexpr char version = '\x83';
    if (bytes.empty() || bytes.front() != version) return std::nullopt;
    Reader reader(bytes.substr(1));
    try {
        auto out = reader.read();
        if (reader.is_done()) return out;
    } catch (const Broken&) {
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace takeover::pleroma
