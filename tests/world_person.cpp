// SPDX-License-Identifier: AGPL-3.0-or-later
// Requests as people send them, and reading the answers.
#include "http/body/urlencoded.hpp"
#include "world.hpp"

#include <boost/json.hpp>

namespace json = boost::json;

namespace {

// The member at the end of a way, or null.
const json::value* find(const json::value& from, std::string_view way) {
    const json::value* at = &from;
    while (at && !way.empty()) {
        auto dot = way.find('.');
        auto step = way.substr(0, dot);
        way = dot == way.npos ? std::string_view{} : way.substr(dot + 1);
        if (auto* object = at->if_object()) {
            at = object->if_contains(step);
        } else if (auto* array = at->if_array()) {
            bool number = !step.empty() && step.find_first_not_of("0123456789") == step.npos;
            auto index = number ? static_cast<std::size_t>(std::stoul(std::string(step))) : array->size();
            at = index < array->size() ? &(*array)[index] : nullptr;
        } else {
            at = nullptr;
        }
    }
    return at;
}

std::string text(const json::value* value) {
    if (!value) return "absent";
    if (value->is_string()) return std::string(std::string_view(value->get_string()));
    return json::serialize(*value);
}

json::value parsed(const std::string& body) {
    boost::system::error_code error;
    auto value = json::parse(body, error);
    return error ? json::value() : value;
}

}  // namespace

std::string form_encoded(const Fields& fields) {
    std::string out;
    for (const auto& [name, value] : fields)
        out += (out.empty() ? "" : "&") + http::percent_encoded(name) + "=" + http::percent_encoded(value);
    return out;
}

std::string Answer::operator[](std::string_view way) const {
    auto value = parsed(body);
    return text(find(value, way));
}

std::vector<std::string> Answer::all(std::string_view member) const {
    std::vector<std::string> out;
    auto value = parsed(body);
    if (auto* array = value.if_array())
        for (const auto& one : *array) out.push_back(text(find(one, member)));
    else ADD_FAILURE() << "not an array: " << body;
    return out;
}

std::string Answer::link(std::string_view rel) const {
    auto all = header("Link");
    auto end = all.find(">; rel=\"" + std::string(rel) + "\"");
    if (end == all.npos) return {};
    auto start = all.rfind('<', end) + 1;
    auto url = all.substr(start, end - start);
    return url.substr(url.find('/', url.find("://") + 3));
}

Answer Person::send(
    http::Method method, const std::string& target, const std::string& body, const std::string& type
) const {
    http::Request request;
    request.method = method;
    request.target = target;
    request.body = body;
    request.headers = headers_;
    if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token);
    if (!type.empty()) request.headers.emplace_back("Content-Type", type);
    return world_->send(std::move(request));
}

Answer Person::get(const std::string& path, const Fields& fields) const {
    auto target = path;
    if (!fields.empty()) target += (path.find('?') == path.npos ? "?" : "&") + form_encoded(fields);
    return send(http::Method::get, target, "", "");
}

namespace {
constexpr const char* form_type = "application/x-www-form-urlencoded";
}

Answer Person::post(const std::string& path, const Fields& fields) const {
    return send(http::Method::post, path, form_encoded(fields), form_type);
}
Answer Person::put(const std::string& path, const Fields& fields) const {
    return send(http::Method::put, path, form_encoded(fields), form_type);
}
Answer Person::patch(const std::string& path, const Fields& fields) const {
    return send(http::Method::patch, path, form_encoded(fields), form_type);
}
Answer Person::del(const std::string& path, const Fields& fields) const {
    return send(http::Method::delete_, path, form_encoded(fields), form_type);
}

Person Person::with(const std::string& header, const std::string& value) const {
    auto person = *this;
    person.headers_.emplace_back(header, value);
    return person;
}

namespace {

Answer must(Answer answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer;
}

}  // namespace

void Person::follows(const Person& other, const Fields& fields) const {
    must(post("/api/v1/accounts/" + other.id + "/follow", fields));
}
void Person::unfollows(const Person& other) const {
    must(post("/api/v1/accounts/" + other.id + "/unfollow"));
}
void Person::blocks(const Person& other) const { must(post("/api/v1/accounts/" + other.id + "/block")); }
void Person::mutes(const Person& other, const Fields& fields) const {
    must(post("/api/v1/accounts/" + other.id + "/mute", fields));
}

std::string Person::status(const std::string& text, const Fields& fields) const {
    Fields all{{"status", text}};
    all.insert(all.end(), fields.begin(), fields.end());
    return must(post("/api/v1/statuses", all)).id();
}

std::string Person::answers(const std::string& to, const std::string& text, const Fields& fields) const {
    Fields all{{"in_reply_to_id", to}};
    all.insert(all.end(), fields.begin(), fields.end());
    return status(text, all);
}

void Person::favourites(const std::string& status_id) const {
    must(post("/api/v1/statuses/" + status_id + "/favourite"));
}

std::string Person::reblogs(const std::string& status_id) const {
    return must(post("/api/v1/statuses/" + status_id + "/reblog")).id();
}

std::vector<std::string> Person::home(const Fields& fields) const {
    return must(get("/api/v1/timelines/home", fields)).ids();
}
