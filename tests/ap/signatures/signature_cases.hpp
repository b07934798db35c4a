// SPDX-License-Identifier: AGPL-3.0-or-later
// Files of signed requests and documents with what is to be thought of them, in the forms of the shared vectors.
// The tests and dunlin-signatures-check judge them by the same functions.
#pragma once
#include "ap/signatures/signature.hpp"

#include <boost/json/value.hpp>

#include <functional>

namespace cases {

struct Outcome {
    std::string name;
    std::string expected;  // accept, reject or either
    std::string
        verdict;  // accept, reject, error, or unsupported: an algorithm that nobody uses between servers
    std::string reason;  // of a reject
    bool ok = false;
};

// A request of a file, with what it was made of.
struct Request {
    std::string method, target, origin, body;
    ap::Headers headers;
    ap::SignedRequest signed_request() const { return {method, target, origin, headers, body}; }
};
Request request_of(const boost::json::object& request, std::string_view local_host);

// Every case of a file, whatever is in it. Throws when the file is of no form known here.
std::vector<Outcome> judge(const boost::json::object& file);
std::vector<Outcome> judge_http(const boost::json::object& file);
bool is_http(const boost::json::object& file);
std::vector<Outcome> judge_proofs(const boost::json::object& file);
bool is_proofs(const boost::json::object& file);
std::vector<Outcome> judge_ld(const boost::json::object& file);
bool is_ld(const boost::json::object& file);

// What `find` throws makes the case an error, which is never ok.
Outcome guarded(std::string name, std::string expected, const std::function<void(Outcome&)>& find);

std::string text(const boost::json::object&, std::string_view key);  // empty when there is none
base::Time clock_now();
base::Time time_in(const boost::json::object&, base::Time otherwise);  // of its member "now"

boost::json::object read_file(const std::string& path);

}  // namespace cases
