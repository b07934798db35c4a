// SPDX-License-Identifier: AGPL-3.0-or-later
// What every step of a copy has, whatever is read.
#pragma once
#include "takeover/forms.hpp"
#include "takeover/source.hpp"

namespace takeover {

struct Reading {
    db::Foreign& db;
    const base::Site& site;
    const Files& files;
    Choice choice;

    // An address of this server.
    bool is_here(std::string_view uri) const { return uri.starts_with(site.public_url + "/"); }

    // What becomes of a row that cannot be read.
    db::Foreign::Refuse refusing(const char* kind, Sink& sink) const {
        return [kind, &sink](const std::string& row, const std::string& why) {
            sink.refuse(kind, row, why);
            sink.numbers.drop(kind, row);
        };
    }
};

// The key that push messages are signed with: base64 of the point and of the number. Refused where they are no pair.
void put_push_key(const std::string& former, const std::string& point, const std::string& number, Sink&);
// Of a subscription: base64, as it is stored here. Nothing: its keys or its address are none.
struct PushKeys {
    std::string p256dh, auth;
};
std::optional<PushKeys> push_keys(
    const std::string& endpoint, const std::string& p256dh, const std::string& auth
);

// Why a picture or a file did not come along.
std::string problem_of(Files::Found, const std::string& path);

}  // namespace takeover
