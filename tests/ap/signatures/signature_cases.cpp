// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/signature_cases.hpp"

#include "ap/signatures/exact_json.hpp"

#include <boost/json.hpp>

#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cases {

namespace json = boost::json;

std::vector<Outcome> judge(const json::object& file) {
    if (is_http(file)) return judge_http(file);
    if (is_proofs(file)) return judge_proofs(file);
    if (is_ld(file)) return judge_ld(file);
    throw std::runtime_error("this is no file of signatures");
}

Outcome guarded(std::string name, std::string expected, const std::function<void(Outcome&)>& find) {
    Outcome out{std::move(name), std::move(expected)};
    try {
        find(out);
        out.ok = out.ok || out.verdict == out.expected ||
                 (out.expected == "either" && (out.verdict == "accept" || out.verdict == "reject"));
    } catch (const std::exception& e) {
        out.verdict = "error";
        out.reason = e.what();
        out.ok = false;
    }
    return out;
}

std::string text(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
}

base::Time time_in(const json::object& object, base::Time otherwise) {
    return base::parse_time(text(object, "now")).value_or(otherwise);
}

base::Time clock_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
}

json::object read_file(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    std::stringstream content;
    content << in.rdbuf();
    auto value = ap::parse_exactly(content.str(), {}, 64);
    if (!value || !value->is_object()) throw std::runtime_error(path + " is no object of JSON");
    return value->as_object();
}

}  // namespace cases
