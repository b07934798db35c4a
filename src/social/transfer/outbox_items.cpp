// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/outbox_items.hpp"

#include "base/errors.hpp"

namespace transfer {

namespace {

constexpr std::size_t longest = 1 << 20;

[[noreturn]] void refuse() { throw base::Invalid("The outbox of the archive is damaged"); }

void keep(std::string* into, std::string_view more) {
    if (into && into->size() <= longest) into->append(more.substr(0, longest + 1 - into->size()));
}

void keep(std::string* into, char c) { keep(into, std::string_view(&c, 1)); }

}  // namespace

// What was read and not looked at yet; empty: that was the end.
std::string_view OutboxItems::rest() {
    if (at_ == end_) {
        end_ = member_.read(buffer_);
        at_ = 0;
    }
    return {buffer_.data() + at_, end_ - at_};
}

int OutboxItems::get() {
    if (rest().empty()) return -1;
    return static_cast<unsigned char>(buffer_[at_++]);
}

int OutboxItems::after_blanks() {
    int c = get();
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') c = get();
    return c;
}

// After its first quotation mark. Archives may be made of long ones, so what means nothing is passed at once.
void OutboxItems::string(std::string* into) {
    for (;;) {
        auto plain = rest();
        plain = plain.substr(0, plain.find('"'));
        plain = plain.substr(0, plain.find('\\'));
        keep(into, plain);
        at_ += plain.size();
        if (at_ == end_ && !plain.empty()) continue;
        int c = get();
        if (c < 0) refuse();
        keep(into, static_cast<char>(c));
        if (c == '"') return;
        c = get();
        if (c < 0) refuse();
        keep(into, static_cast<char>(c));
    }
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
        const auto more = rest();
        if (more.empty()) refuse();
        const char* const end = more.data() + more.size();
        const char* next = more.data();
        bool quoted = false;
        while (next != end && depth > 0 && !quoted) {
            const char c = *next++;
            if (c == '"') quoted = true;
            else if (c == '{' || c == '[') ++depth;
            else if (c == '}' || c == ']') --depth;
        }
        const auto passed = static_cast<std::size_t>(next - more.data());
        keep(into, more.substr(0, passed));
        at_ += passed;
        if (quoted) string(into);
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
