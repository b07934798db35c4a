// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/host.hpp"

#include "base/text/utf8.hpp"

#include <idn2.h>

#include <algorithm>
#include <memory>

namespace base::text {

namespace {

constexpr std::size_t longest_domain = 253, longest_label = 63;

std::string_view bare(std::string_view text) {
    auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    if (text.starts_with('@')) text.remove_prefix(1);
    if (text.ends_with('.')) text.remove_suffix(1);
    return text;
}

bool well_formed_label(std::string_view label) {
    return !label.empty() && label.size() <= longest_label && label.front() != '-' && label.back() != '-' &&
           std::ranges::all_of(label, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
           });
}

bool well_formed(std::string_view domain) {
    if (domain.size() > longest_domain || domain.find('.') == domain.npos) return false;
    for (;;) {
        auto dot = domain.find('.');
        if (!well_formed_label(domain.substr(0, dot))) return false;
        if (dot == domain.npos) return true;
        domain.remove_prefix(dot + 1);
    }
}

}  // namespace

std::optional<std::string> normalized_domain(std::string_view given) {
    auto text = bare(given);
    // Conversion may shorten a name, but not from beyond this length.
    if (text.empty() || text.size() > 4 * longest_domain || text.find('\0') != text.npos) return std::nullopt;
    auto domain = ascii_lowered(text);
    if (std::ranges::any_of(domain, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
        char* converted = nullptr;
        auto flags = IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT;
        if (idn2_to_ascii_8z(domain.c_str(), &converted, flags) != IDN2_OK) return std::nullopt;
        std::unique_ptr<char, void (*)(void*)> owner(converted, idn2_free);
        domain = converted;
        if (domain.ends_with('.')) domain.pop_back();
    }
    if (!well_formed(domain)) return std::nullopt;
    return domain;
}

}  // namespace base::text
