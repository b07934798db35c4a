// SPDX-License-Identifier: AGPL-3.0-or-later
// Every route for staff × every permission × every way not to be staff (attack 47): who may is decided before anything else
// is looked at, exactly as endpoints.tsv says.
#include "contract/contract.hpp"
#include "contract/probing.hpp"
#include "server/staff_routes.hpp"
#include "social/moderation/staff.hpp"
#include "social/moderation/team.hpp"

#include <gmock/gmock.h>

const db::Command test_disable_login{
    "test_disable_login", "UPDATE users SET disabled = TRUE WHERE account_id = $1"
};
const db::Command test_unconfirm_login{
    "test_unconfirm_login", "UPDATE users SET confirmed_at = NULL WHERE account_id = $1"
};

namespace {

constexpr const char* not_allowed = R"({"error":"This action is not allowed"})";

struct StaffMatrix : OnEachWorld {
    std::vector<const http::Route*> routes() const {
        std::vector<const http::Route*> out;
        for (const auto* route : w.router().routes())
            if (server::is_for_staff(route->path)) out.push_back(route);
        return out;
    }
    static Answer ask(const Person& who, const http::Route& route, const std::string& id = "999") {
        return who.send(route.method, filled(route.path, id), "", "application/x-www-form-urlencoded");
    }
    static std::string name(const http::Route& route) {
        return std::string(to_string(route.method)) + " " + std::string(route.path);
    }
    static std::int64_t number(const Person& who) { return std::stoll(who.id); }
};
ON_EACH_DATABASE(StaffMatrix);

// "user:admin-role(manage_users to open; …)": the first word.
std::int64_t bit_of(const contract::Endpoint& endpoint) {
    auto open = endpoint.auth.find("admin-role(");
    if (open == std::string::npos) return 0;
    auto word = endpoint.auth.substr(open + 11);
    return moderation::permissions_named({word.substr(0, word.find_first_of(" ;)"))});
}

// Without the permission these answer what everybody may read.
bool is_open(const http::Route& route) {
    return route.path.starts_with("/api/v1/admin/trends/") && route.method == http::Method::get &&
           !route.path.ends_with("publishers");
}

TEST_P(StaffMatrix, needs_what_the_table_says) {
    EXPECT_GT(routes().size(), 63u);
    for (const auto* route : routes()) {
        if (route->path.starts_with("/api/dunlin/")) continue;
        auto* endpoint = contract::find(*route);
        ASSERT_TRUE(endpoint) << name(*route);
        EXPECT_EQ(server::permissions_for(*route), is_open(*route) ? 0 : bit_of(*endpoint)) << name(*route);
    }
}

TEST_P(StaffMatrix, attack_47_opens_exactly_to_who_has_the_permission) {
    for (int bit = 0; bit < 23; ++bit) {
        auto permission = std::int64_t{1} << bit;
        auto person = staff(w, "p" + std::to_string(bit), role_with(w, permission, 100 + bit));
        for (const auto* route : routes()) {
            auto needed = server::permissions_for(*route);
            bool opens = needed == 0 || bit == 0 || (needed & permission) != 0;
            auto answer = ask(person, *route);
            EXPECT_EQ(answer.status != 403, opens) << bit << " " << name(*route) << " " << answer.body;
        }
    }
}

TEST_P(StaffMatrix, attack_47_opens_to_the_roles_of_every_server_as_they_are_documented) {
    std::map<std::string, std::int64_t> roles{{"mona", 1'049'884}, {"adam", 2'031'612}, {"olga", 8'388'607}};
    std::map<std::string, base::RoleId> ids{
        {"mona", accounts::moderator}, {"adam", accounts::admin}, {"olga", accounts::owner}
    };
    for (const auto& [who, bits] : roles) {
        auto person = staff(w, who, ids.at(who));
        for (const auto* route : routes()) {
            auto needed = server::permissions_for(*route);
            EXPECT_EQ(ask(person, *route).status != 403, needed == 0 || (needed & bits) != 0)
                << who << " " << name(*route);
        }
    }
}

TEST_P(StaffMatrix, is_closed_to_everybody_else) {
    auto alice = w.with_scopes(w.local("alice"), staff_scopes), app = w.app(staff_scopes);
    auto revoked = staff(w, "rita", accounts::owner);
    w.revoke(revoked);
    for (const auto* route : routes()) {
        SCOPED_TRACE(name(*route));
        for (const auto& who : {w.anonymous(), w.bearer("no such token"), app}) {
            auto answer = ask(who, *route);
            EXPECT_EQ(answer.status, 403);
            EXPECT_EQ(answer.body, not_allowed);
        }
        EXPECT_EQ(ask(revoked, *route).status, 401);
        if (server::permissions_for(*route) == 0) continue;
        EXPECT_EQ(ask(alice, *route).body, not_allowed);
        EXPECT_EQ(ask(alice, *route, alice.id).body, not_allowed);  // no answer tells what there is
    }
    EXPECT_EQ(w.changed(), "");
}

TEST_P(StaffMatrix, is_closed_to_a_login_that_does_not_work) {
    auto frozen = staff(w, "fred", accounts::owner), unconfirmed = staff(w, "uta", accounts::owner),
         suspended = staff(w, "sid", accounts::owner);
    w.write([&](db::Write& db) {
        db.run(test_disable_login, number(frozen));
        db.run(test_unconfirm_login, number(unconfirmed));
    });
    w.suspend(suspended);
    w.changed();
    for (const auto* route : routes()) {
        SCOPED_TRACE(name(*route));
        EXPECT_EQ(ask(frozen, *route).error(), "Your login is currently disabled");
        EXPECT_EQ(ask(unconfirmed, *route).error(), "Your login is missing a confirmed e-mail address");
        EXPECT_EQ(ask(suspended, *route).error(), "Your login is currently disabled");
    }
    EXPECT_EQ(w.changed(), "");
}

TEST_P(StaffMatrix, answers_404_to_what_is_no_id) {
    auto owner = staff(w, "olga", accounts::owner);
    for (const auto* route : routes())
        if (route->path.find("/:id") != route->path.npos)
            for (auto id :
                 {"999999999999", "0", "-1", "abc", "1x", "99999999999999999999999999", "%00", "1%2F2"}) {
                auto answer = ask(owner, *route, id);
                EXPECT_EQ(answer.status, 404) << name(*route) << " " << id << " " << answer.body;
            }
    EXPECT_EQ(w.changed(), "");
}

}  // namespace
