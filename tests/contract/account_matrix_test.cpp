// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may see, count, list and touch which account, as tables against every route that there is (behaviours: sections
// 10 and 11.1). An account that is not there for anybody answers like none, by status, body, headers and effect.
#include "contract/account_stage.hpp"
#include "server/staff_routes.hpp"

#include <gmock/gmock.h>
#include <boost/algorithm/string/replace.hpp>

namespace {

using testing::IsEmpty;
using Names = std::set<std::string>;

struct AccountMatrix : OnEachWorld {
    AccountStage stage{w};

    bool is_api(const http::Route& route) { return route.path.starts_with("/api/"); }
    // Who goes by a session or ends it would leave the stage.
    bool harmless(const http::Route& route) {
        return route.path.find("/auth") == route.path.npos && route.path.find("/apps") == route.path.npos;
    }
};
ON_EACH_DATABASE(AccountMatrix);

TEST_P(AccountMatrix, makes_no_difference_between_an_account_that_waits_and_none) {
    // Nobody can stand in any relation to who is not there, so a few will do for what changes something.
    const Names few{"anonymous", "stranger", "suspended"};
    for (const auto* route : w.router().routes()) {
        if (!is_api(*route) || !harmless(*route)) continue;
        bool reads = route->method == http::Method::get;
        for (const auto& [name, viewer] : stage.viewers) {
            if (!reads && !few.contains(name)) continue;
            auto none = stage.ask(viewer, *route, stage.absent);
            // What only the first request of a viewer changes depends on nobody.
            if (!reads) w.changed(), none = stage.ask(viewer, *route, stage.absent);
            auto effect = reads ? "" : w.changed();
            for (const auto& one : stage.subjects) {
                if (stage.exists(one)) continue;
                SCOPED_TRACE(
                    name + ": " + std::string(to_string(route->method)) + " " + std::string(route->path) +
                    " of " + one.state
                );
                auto answer = stage.ask(viewer, *route, one.person.id);
                EXPECT_EQ(answer.status, none.status) << answer.body;
                // Some bodies and the Link header repeat what was asked for.
                auto as_of_nobody = [&](const std::string& text) {
                    return boost::algorithm::replace_all_copy(text, one.person.id, stage.absent);
                };
                EXPECT_EQ(as_of_nobody(answer.body), none.body);
                EXPECT_EQ(as_of_nobody(told_by_headers(answer)), told_by_headers(none));
                if (!reads) EXPECT_EQ(w.changed(), effect);
            }
        }
    }
}

// Whom a list shows to whom. Nobody whose account waits stands in any.
struct Listing {
    std::string_view path;
    Names never;           // states of accounts
    Names hidden_from;     // relations of the viewer to all of them
    Names only_for = {};   // if not empty: shown to nobody else
    bool at_most = false;  // need not show the others
};
const Names apart{"blocked", "blocking", "muting"};
const Names everybody{
    "anonymous", "stranger", "follower", "mentioned", "blocked", "blocking", "muting", "domain_blocking"
};

const Listing listings[] = {
    {"/api/v1/accounts", {}, {}},
    {"/api/v1/accounts/:id/followers", {}, apart},
    {"/api/v1/accounts/:id/following", {}, apart},
    {"/api/v1/accounts/:id/endorsements", {"suspended"}, {}},
    {"/api/v1/accounts/search", {"suspended", "silenced"}, {}},
    {"/api/v2/search", {"suspended", "silenced"}, {}},
    {"/api/v1/statuses/:id/favourited_by", {"suspended"}, apart},
    {"/api/v1/statuses/:id/reblogged_by", {"suspended"}, apart},
    {"/api/v1/directory", {"suspended", "silenced", "shy"}, apart},
    {"/api/v1/collections/:id", {"suspended", "shy"}, {"blocking"}},
    {"/api/v1_alpha/collections/:id", {"suspended", "shy"}, {"blocking"}},
    {"/api/v1/blocks", {"suspended"}, {}, {"blocking"}},
    {"/api/v1/mutes", {"suspended"}, {}, {"muting"}},
    {"/api/v1/notifications", {"suspended"}, {}, {"mentioned"}, true},
    {"/api/v2/notifications", {"suspended"}, {}, {"mentioned"}, true},
    {"/api/v1/notifications/requests", {"suspended"}, {}, {"mentioned"}, true},
    {"/api/v1/conversations", {"suspended"}, {}, {"mentioned"}, true},
    {"/api/v1/timelines/direct", {"suspended"}, {}, {"mentioned"}, true},
    {"/api/v1/timelines/home", {"suspended"}, {}, {"follower", "mentioned"}, true},
    {"/api/v1/suggestions", {"suspended", "silenced", "shy"}, apart, {}, true},
    {"/api/v2/suggestions", {"suspended", "silenced", "shy"}, apart, {}, true},
};

TEST_P(AccountMatrix, of_every_list_is_that_of_the_table) {
    const auto open_to_suspended = server::routes_of_suspended();
    for (const auto* route : w.router().routes()) {
        if (route->method != http::Method::get || !is_api(*route)) continue;
        auto row = std::ranges::find(listings, route->path, &Listing::path);
        for (const auto& [name, viewer] : stage.viewers) {
            auto answer = stage.list(viewer, route->path);
            for (const auto& one : stage.subjects) {
                SCOPED_TRACE(name + ": GET " + std::string(route->path) + " with " + one.state);
                bool shown = stage.shows(answer, one);
                if (row == std::end(listings)) {
                    EXPECT_FALSE(shown) << "the table knows nothing of it: " << answer.body.substr(0, 500);
                    continue;
                }
                bool may = stage.exists(one) && !row->never.contains(one.state) && answer.status == 200 &&
                           !row->hidden_from.contains(name) &&
                           (row->only_for.empty() || row->only_for.contains(name));
                if (name == "domain_blocking" && one.state == "remote" && row->path == "/api/v1/directory")
                    may = false;
                // Who follows a limited account finds it by words, too.
                if (name == "follower" && one.state == "silenced" && row->path.ends_with("/search"))
                    may = true;
                if (!row->at_most) EXPECT_EQ(shown, may) << answer.body;
                else if (!may) EXPECT_FALSE(shown) << answer.body;
            }
            bool open = route->auth == http::Auth::none || open_to_suspended.contains(route);
            if (name == "suspended") EXPECT_TRUE(answer.status >= 400 || open);
        }
    }
}

TEST_P(AccountMatrix, leaves_nothing_of_a_suspended_account_but_its_handle) {
    const auto& gone = stage.subject("suspended");
    for (const auto* route : w.router().routes()) {
        if (route->method != http::Method::get || !is_api(*route)) continue;
        for (const auto& [name, viewer] : stage.viewers) {
            SCOPED_TRACE(name + ": GET " + std::string(route->path));
            for (const auto& answer :
                 {stage.ask(viewer, *route, gone.person.id), stage.list(viewer, route->path)})
                EXPECT_EQ(answer.body.find(gone.marker), std::string::npos) << answer.body.substr(0, 2000);
        }
    }
    auto shown = w.anonymous().get("/api/v1/accounts/" + gone.person.id);
    for (auto count : {"followers_count", "following_count", "statuses_count"}) EXPECT_EQ(shown[count], "0");
}

// Profiles are open to everybody, also to those the account blocks; its lists are not.
TEST_P(AccountMatrix, shows_profiles_to_all_and_their_lists_by_the_table) {
    for (const auto& [name, viewer] : stage.viewers)
        for (const auto& one : stage.subjects) {
            SCOPED_TRACE(name + " looks at " + one.state);
            auto path = "/api/v1/accounts/" + one.person.id;
            bool refused = name == "suspended";
            auto expected = refused ? 403 : stage.exists(one) ? 200 : 404;
            auto profile = viewer.get(path);
            EXPECT_EQ(profile.status, expected);
            EXPECT_EQ(
                viewer.get("/api/v1/accounts/lookup", {{"acct", one.person.name}}).status,
                one.state == "remote" && !refused ? 404 : expected
            );
            for (auto list : {"/followers", "/following", "/statuses", "/endorsements", "/featured_tags"})
                EXPECT_EQ(viewer.get(path + list).status, expected) << list;
            if (expected != 200) continue;
            bool open = one.state != "suspended" && one.state != "reclusive" && name != "blocked";
            for (auto list : {"/followers", "/following"}) {
                auto listed = viewer.get(path + list).ids();
                bool friends = std::ranges::find(listed, stage.friend_.id) != listed.end();
                EXPECT_EQ(friends, open) << list;
            }
            // Hidden lists are still counted.
            if (one.state == "reclusive") EXPECT_NE(profile["followers_count"], "0");
        }
    const auto& recluse = stage.subject("reclusive").person;
    EXPECT_THAT(recluse.get("/api/v1/accounts/" + recluse.id + "/following").ids(), testing::Not(IsEmpty()));
}

// What may be done to an account; all else is refused as it stands here.
TEST_P(AccountMatrix, of_what_may_be_done_is_that_of_the_table) {
    struct ActivityKind {
        std::string_view path;
        Names forbidden_for;
        int forbidden = 403;
        bool to_suspended = true;
    };
    // In an order in which none changes what those after it depend on.
    const ActivityKind deeds[] = {
        {"endorse", {"stranger", "mentioned", "blocked", "blocking", "muting", "domain_blocking"}, 422},
        {"follow", {"blocked", "blocking"}, 403, false},
        {"note", {}},
        {"mute", {}},
        {"unmute", {}},
        {"unendorse", {}},
        {"unfollow", {}},
        {"remove_from_followers", {}},
        {"block", {}},
        {"unblock", {}},
    };
    for (const auto& action : deeds)
        for (const auto& [name, viewer] : stage.viewers)
            for (const auto& one : stage.subjects) {
                SCOPED_TRACE(name + ": " + std::string(action.path) + " of " + one.state);
                auto path = "/api/v1/accounts/" + one.person.id + "/" + std::string(action.path);
                int expected = name == "anonymous"                                ? 401
                               : name == "suspended"                              ? 403
                               : !stage.exists(one)                               ? 404
                               : one.state == "suspended" && !action.to_suspended ? 404
                               : action.forbidden_for.contains(name)              ? action.forbidden
                                                                                  : 200;
                if (name == "domain_blocking" && one.state == "remote" && action.path == "follow")
                    expected = 403;
                auto answer = viewer.post(path);
                EXPECT_EQ(answer.status, expected) << answer.body;
            }
}

}  // namespace
