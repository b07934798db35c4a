// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/structured_field.hpp"

#include "base/signing.hpp"

#include <algorithm>
#include <charconv>

namespace ap::fields {

namespace {

constexpr std::size_t most_bytes = 16384, most_members = 32, most_items = 64, most_parameters = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_of_key(char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '*'; }
bool is_of_token(char c) {
    return is_alpha(c) || is_digit(c) ||
           std::string_view("!#$%&'*+-.^_`|~:/").find(c) != std::string_view::npos;
}

// Each function takes what it reads off the front of `rest_`, or returns false and reading is over.
class Reader {
public:
    explicit Reader(std::string_view field) : rest_(field) {}

    bool dictionary(std::vector<Member>& out) {
        spaces();
        while (!rest_.empty()) {
            auto& member = out.emplace_back();
            if (out.size() > most_members || !key(member.key) || !value_of(member)) return false;
            for (std::size_t i = 0; i + 1 < out.size(); ++i)
                if (out[i].key == member.key) return false;
            blanks();
            if (rest_.empty()) return true;
            if (!take(',')) return false;
            blanks();
            if (rest_.empty()) return false;  // a comma with nothing behind it
        }
        return true;
    }

private:
    std::string_view rest_;

    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
    void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

    template <class Is>
    std::string_view run(Is is) {
        const auto end = static_cast<std::size_t>(std::ranges::find_if_not(rest_, is) - rest_.begin());
        const auto out = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return out;
    }

    bool key(std::string& out) {
        if (rest_.empty() || (!is_lower(rest_[0]) && rest_[0] != '*')) return false;
        out = run(is_of_key);
        return true;
    }

    bool value_of(Member& member) {
        if (!take('=')) return parameters(member.item.parameters);
        const auto before = rest_;
        member.is_list = rest_.starts_with('(');
        if (!(member.is_list ? inner_list(member.items) : bare_item(member.item.value)) ||
            !parameters(member.item.parameters))
            return false;
        member.text = before.substr(0, before.size() - rest_.size());
        return true;
    }

    bool inner_list(std::vector<Item>& out) {
        if (!take('(')) return false;
        for (;;) {
            spaces();
            if (take(')')) return true;
            auto& item = out.emplace_back();
            if (out.size() > most_items || !bare_item(item.value) || !parameters(item.parameters))
                return false;
            if (!rest_.starts_with(' ') && !rest_.starts_with(')')) return false;
        }
    }

    bool parameters(Parameters& out) {
        while (take(';')) {
            spaces();
            std::string name;
            BareItem value = true;
            if (!key(name) || out.find(name) || out.all.size() == most_parameters) return false;
            if (take('=') && !bare_item(value)) return false;
            out.all.emplace_back(std::move(name), std::move(value));
        }
        return true;
    }

    bool bare_item(BareItem& out) {
        if (rest_.empty()) return false;
        const char c = rest_[0];
        if (c == '"') return string(out);
        if (c == ':') return bytes(out);
        if (c == '?') return boolean(out);
        if (c == '-' || is_digit(c)) return number(out);
        if (!is_alpha(c) && c != '*') return false;
        out = Token{std::string(run(is_of_token))};
        return true;
    }

    bool string(BareItem& out) {
        rest_.remove_prefix(1);
        std::string text;
        for (;;) {
            if (rest_.empty()) return false;
            char c = rest_[0];
            rest_.remove_prefix(1);
            if (c == '"') break;
            if (c == '\\') {
                if (rest_.empty() || (rest_[0] != '"' && rest_[0] != '\\')) return false;
                c = rest_[0];
                rest_.remove_prefix(1);
            }
            if (c < ' ' || c > '~') return false;
            text += c;
        }
        out = std::move(text);
        return true;
    }

    bool bytes(BareItem& out) {
        const auto end = rest_.find(':', 1);
        if (end == rest_.npos) return false;
        const auto text = rest_.substr(1, end - 1);
        if (text.find_first_of("-_") != text.npos) return false;
        auto value = base::from_base64(text);
        if (!value) return false;
        rest_.remove_prefix(end + 1);
        out = Bytes{std::move(*value)};
        return true;
    }

    bool boolean(BareItem& out) {
        if (rest_.size() < 2 || (rest_[1] != '0' && rest_[1] != '1')) return false;
        out = rest_[1] == '1';
        rest_.remove_prefix(2);
        return true;
    }

    bool number(BareItem& out) {
        const auto before = rest_;
        take('-');
        const auto whole = run(is_digit);
        if (whole.empty() || whole.size() > 15) return false;
        if (take('.')) {
            const auto part = run(is_digit);
            if (part.empty() || part.size() > 3 || whole.size() > 12) return false;
            out = Decimal{std::string(before.substr(0, before.size() - rest_.size()))};
            return true;
        }
        std::int64_t value = 0;
        std::from_chars(before.data(), rest_.data(), value);
        out = value;
        return true;
    }
};

}  // namespace

const BareItem* Parameters::find(std::string_view key) const {
    const auto found =
        std::ranges::find(all, key, [](const auto& one) -> std::string_view { return one.first; });
    return found == all.end() ? nullptr : &found->second;
}

std::optional<std::vector<Member>> read_dictionary(std::string_view field) {
    std::vector<Member> out;
    if (field.size() > most_bytes) return std::nullopt;
    field.remove_suffix(field.size() - (field.find_last_not_of(' ') + 1));
    if (!Reader(field).dictionary(out)) return std::nullopt;
    return out;
}

std::string string_item(std::string_view ascii) {
    std::string out = "\"";
    for (char c : ascii) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

}  // namespace ap::fields
