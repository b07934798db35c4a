// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/form.hpp"

#include "base/text/blank.hpp"
#include "http/body/read_params.hpp"
#include "http/body/written_time.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace http::form {

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

// As Rails humanizes an attribute's name: "status_id" becomes "Status".
std::string humanised(std::string_view name) {
    if (name.ends_with("_id") && name.size() > 3) name.remove_suffix(3);
    std::string out(name);
    std::replace(out.begin(), out.end(), '_', ' ');
    out.erase(0, out.find_first_not_of(' '));
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 32);
    return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Without leading blanks and a plus sign, which from_chars does not accept.
std::string_view number_part(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    return text;
}

}  // namespace

bool is_true(std::string_view text) {
    static constexpr std::string_view untrue[] = {"false", "0", "f", "F", "FALSE", "off", "OFF"};
    return std::find(std::begin(untrue), std::end(untrue), text) == std::end(untrue);
}

std::int64_t integer(std::string_view text) {
    text = number_part(text);
    std::int64_t out = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc::result_out_of_range) return out;
    return text[0] == '-' ? std::numeric_limits<std::int64_t>::min()
                          : std::numeric_limits<std::int64_t>::max();
}

double number(std::string_view text) {
    text = number_part(text);
    auto first = text.find_first_not_of('-');
    // from_chars would accept "inf" and "nan".
    if (first == std::string_view::npos || (!is_digit(text[first]) && text[first] != '.')) return 0;
    double out = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() ? out : 0;
}

std::optional<std::int64_t> path_id(const std::string* text) {
    std::int64_t out = 0;
    if (!text || text->empty() || !is_digit(text->front())) return std::nullopt;
    auto end = text->data() + text->size();
    auto [stop, error] = std::from_chars(text->data(), end, out);
    if (stop != end || error != std::errc()) return std::nullopt;
    return out;
}

base::Time time(std::string_view text) {
    auto out = base::parse_time(text);
    if (!out) throw base::Invalid("Invalid date supplied");
    return *out;
}

base::Time valid_time(std::string_view text) {
    auto out = written_time(text);
    if (!out) throw base::Invalid("Record invalid");  // text that clients know
    return *out;
}

bool is_blank(std::string_view text) { return base::text::is_blank(text); }

const Upload* file(const Params& params, std::string_view name) {
    auto found = params.upload(name);
    if (found) return found;
    if (auto text = params.find(name); text && is_data_uri(*text)) throw_invalid(name);
    return nullptr;
}

void throw_blank(std::string_view name) {
    throw base::Invalid("Validation failed: " + humanised(name) + " can't be blank");
}

void throw_missing(std::string_view name) {
    throw base::BadRequest("param is missing or the value is empty or invalid: " + std::string(name));
}

void throw_not_in_list(std::string_view name) {
    throw base::Invalid("Validation failed: " + humanised(name) + " is not included in the list");
}

void throw_invalid(std::string_view name) {
    throw base::Invalid("Validation failed: " + humanised(name) + " is invalid");
}

}  // namespace http::form
