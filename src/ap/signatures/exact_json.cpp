// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/exact_json.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include <charconv>
#include <string>

namespace ap {

namespace {

namespace json = boost::json;
using boost::system::error_code;
using Chars = json::string_view;

struct Handler {
    static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

    json::value_stack stack;
    std::string number;  // the parts of one that have been seen

    explicit Handler(json::storage_ptr memory) { stack.reset(std::move(memory)); }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_object_end(std::size_t n, error_code&) { return stack.push_object(n), true; }
    bool on_array_end(std::size_t n, error_code&) { return stack.push_array(n), true; }
    bool on_key_part(Chars s, std::size_t, error_code&) { return stack.push_chars(s), true; }
    bool on_key(Chars s, std::size_t, error_code&) { return stack.push_key(s), true; }
    bool on_string_part(Chars s, std::size_t, error_code&) { return stack.push_chars(s), true; }
    bool on_string(Chars s, std::size_t, error_code&) { return stack.push_string(s), true; }
    bool on_number_part(Chars s, error_code&) { return number.append(s), true; }
    bool on_int64(std::int64_t n, Chars, error_code&) { return number.clear(), stack.push_int64(n), true; }
    bool on_uint64(std::uint64_t n, Chars, error_code&) { return number.clear(), stack.push_uint64(n), true; }
    bool on_double(double n, Chars s, error_code&) {
        number.append(s);
        // What is too large or too small for a double stays what the parser made of it.
        std::from_chars(number.data(), number.data() + number.size(), n);
        number.clear();
        stack.push_double(n);
        return true;
    }
    bool on_bool(bool b, error_code&) { return stack.push_bool(b), true; }
    bool on_null(error_code&) { return stack.push_null(), true; }
    bool on_comment_part(Chars, error_code&) { return true; }
    bool on_comment(Chars, error_code&) { return true; }
};

}  // namespace

std::optional<json::value> parse_exactly(std::string_view text, json::storage_ptr memory, std::size_t depth) {
    json::parse_options options;
    options.max_depth = depth;
    json::basic_parser<Handler> parser(options, std::move(memory));
    error_code error;
    const auto used = parser.write_some(false, text.data(), text.size(), error);
    if (error || used != text.size() || !parser.done()) return std::nullopt;
    return parser.handler().stack.release();
}

}  // namespace ap
