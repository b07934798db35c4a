// SPDX-License-Identifier: AGPL-3.0-or-later
// What tests of federation share: a site whose handles are of another domain than its address, and other servers.
#pragma once
#include "ap/signatures/signature.hpp"
#include "support/key_pair.hpp"
#include "world.hpp"

namespace stage {

constexpr const char* activity_type = "application/activity+json; charset=utf-8";
constexpr const char* base_url = "https://social.example.test";

inline WorldOptions split() {
    WorldOptions options;
    options.site = [](base::Site& site) {
        site.domain = "example.test";
        site.public_url = site.source_url = base_url;
    };
    return options;
}

struct Federated : testing::TestWithParam<support::Database> {
    World w{GetParam(), split()};
    Person peer = w.anonymous().with("Accept", "application/activity+json");
    Person browser = w.anonymous().with("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    Person nobody = w.anonymous();

    // Somebody on another server, whose key is known here.
    struct Stranger {
        base::AccountId account;
        std::string id;
    };
    Stranger stranger(const std::string& name, const std::string& domain);
    void follow(const Stranger&, const Person&);
    Answer get(const Stranger&, const std::string& path);  // signed

    static std::string actor(const Person& p) { return "/ap/users/" + p.id; }
    static std::string post(const Person& p, const std::string& id) { return actor(p) + "/statuses/" + id; }
    static std::string url(const std::string& path) { return base_url + path; }
};

}  // namespace stage
