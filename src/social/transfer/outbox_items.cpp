// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/outbox_items.hpp"

#include "base/errors.hpp"

namespace transfer {

namespace {

constexpr std::size_t longest = 1 << 20;

[[noreturn]] void refuse() { throw base::Invalid("The outbox of the archive is damaged"); }

void keep(std::string* into, char c) {
    if (into && into->size() <= longest) *into += c;
}

}  // namespace

int OutboxItems::get() {
    if (at_ == end_) {
        end_ = member_.read(buffer_);
        at_ = 0;
        if (end_ == 0) return -1;
    }
    return static_cast<unsigned char>(buffer_[at_++]);
}

int OutboxItems::after_blanks() {
    int c = get();
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') c = get();
    return c;
}

// After its first quotation mark.
void OutboxItems::string(std::string* into) {
    for (int c; (c = get()) != '"';) {
        if (c < 0) refuse();
        keep(into, static_cast<char>(c));
        if (c != '\\') continue;
        c = get();
        if (c < 0) refuse();
        keep(into, static_cast<char>(c));
    }
    keep(into, '"');
}

void OutboxItems::value(char first, std::string* into) {
    keep(into, first);
    if (first == '"') return string(into);
    if (first != '{' && first != '[') {
        // A number or a word: until what ends it.
        for (int c; (c = get()) >= 0;) {
            if (c == ',' || c == '}' || c == ']') return void(--at_);
            keep(into, static_cast<char>(c));
        }
        refuse();
    }
    for (std::size_t depth = 1; depth > 0;) {
        const int c = get();
        if (c < 0) refuse();
        keep(into, static_cast<char>(c));
        if (c == '"') string(into);
        else if (c == '{' || c == '[') ++depth;
        else if (c == '}' || c == ']') --depth;
    }
}

bool OutboxItems::find_items() {
    if (after_blanks() != '{') refuse();
    for (int c = after_blanks(); c != '}'; c = after_blanks()) {
        if (c == ',') continue;
        std::string name;
        if (c != '"') refuse();
        string(&name);
        if (after_blanks() != ':') refuse();
        const int begins = after_blanks();
        if (begins < 0) refuse();
        if (name == "orderedItems\"" && begins == '[') return true;
        value(static_cast<char>(begins), nullptr);
    }
    return false;
}

bool OutboxItems::advance(std::string* into) {
    if (!inside_ && !over_) over_ = !(inside_ = find_items());
    if (over_) return false;
    int c = after_blanks();
    if (c == ',' && !first_) c = after_blanks();
    first_ = false;
    if (c == ']') {
        over_ = true;
        return false;
    }
    if (c < 0) refuse();
    value(static_cast<char>(c), into);
    return true;
}

std::optional<std::string> OutboxItems::next() {
    std::string out;
    if (!advance(&out)) return std::nullopt;
    if (out.size() > longest) out.clear();
    return out;
}

bool OutboxItems::pass() { return advance(nullptr); }

}  // namespace transfer
