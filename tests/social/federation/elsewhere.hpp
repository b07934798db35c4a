// SPDX-License-Identifier: AGPL-3.0-or-later
// Documents of other servers, served by the internet of the stage.
#pragma once
#include "internet.hpp"
#include "world.hpp"

#include <gtest/gtest.h>

namespace elsewhere {

inline constexpr const char* activity_json = "application/activity+json; charset=utf-8";
inline const std::string far = "https://far.example";

inline void serve(const std::string& url, const std::string& json, const std::string& type = activity_json) {
    internet().page(url, json, type);
}
inline void refuse(const std::string& url, int status) {
    internet().pages[url] = [=](const base::Fetch&) {
        Fetched answer;
        answer.status = status;
        answer.url = url;
        return answer;
    };
}
inline int asked(const std::string& url) {
    int n = 0;
    for (const auto& one : internet().asked) n += one.url == url ? 1 : 0;
    return n;
}

inline std::string actor(
    const std::string& name, const std::string& more = "", const std::string& host = far
) {
    auto id = host + "/users/" + name;
    return R"({"@context":"https://www.w3.org/ns/activitystreams","id":")" + id + R"(","type":"Person",)" +
           R"("preferredUsername":")" + name + R"(","name":"The )" + name + R"(","inbox":")" + id +
           R"(/inbox","outbox":")" + id + R"(/outbox","followers":{"id":")" + id +
           R"(/followers","type":"Collection","totalItems":12},"following":{"id":")" + id +
           R"(/following","type":"Collection","totalItems":3})" + more + "}";
}
inline std::string webfinger(const std::string& handle, const std::string& self) {
    return R"({"subject":"acct:)" + handle +
           R"(","links":[{"rel":"self","type":"application/activity+json","href":")" + self + R"("}]})";
}
inline std::string webfinger_url(const std::string& handle) {
    return "http://" + handle.substr(handle.find('@') + 1) + "/.well-known/webfinger?resource=acct:" + handle;
}
// A person of far.example with everything that belongs to one.
inline void person(const std::string& name, const std::string& more = "") {
    serve(far + "/users/" + name, actor(name, more));
    serve(
        webfinger_url(name + "@far.example"),
        webfinger(name + "@far.example", far + "/users/" + name),
        "application/jrd+json"
    );
}

inline std::string note(const std::string& id, const std::string& author, const std::string& more = "") {
    return R"({"@context":"https://www.w3.org/ns/activitystreams","id":")" + id +
           R"(","type":"Note","attributedTo":")" + author +
           R"(","content":"<p>from afar</p>","published":"2024-01-02T03:04:05Z",)" +
           R"("to":"https://www.w3.org/ns/activitystreams#Public")" + more + "}";
}

}  // namespace elsewhere
