// SPDX-License-Identifier: AGPL-3.0-or-later
// Certificates that the server has issued to itself: when it asks, what it does about refusals, and what a kill leaves.
#include "acme/keeper.hpp"

#include "acme/authority.hpp"
#include "db/transaction.hpp"
#include "support/database.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;

constexpr std::int64_t hour = 3'600'000, day = 24 * hour;

class Certificates : public support::OnEachMigratedDatabase {
protected:
    Certificates() : connection_(database.connection()) {
        db::migrate(*connection_, base::Time{database.clock_ms});
        sessions_.look = [this](const std::function<void(db::Read&)>& f) {
            db::read_now(*connection_, database.options.context, f);
        };
        sessions_.change = [this](const char*, const std::function<void(db::Write&)>& f) {
            db::write_now(*connection_, database.options.context, f);
        };
        options.names = {"social.example.org"};
        options.directory = "https://authority.example/directory";
        options.node = "here";
        options.use = [this](const acme::Certificate& one) { used.push_back(one); };
        options.show = [this](const std::map<std::string, acme::Certificate>& by_name) {
            if (!by_name.empty()) shown.push_back(by_name.begin()->first);
        };
        options.fetch = authority.fetch();
    }

    // What a server does that starts now and looks once.
    void turn() {
        acme::Keeper keeper(sessions_, options);
        keeper.load();
        keeper.turn();
    }
    void wait(std::int64_t ms) {
        database.clock_ms += ms;
        authority.clock_ms += ms;
    }
    template <class F>
    auto read(F f) {
        return db::read_now(*connection_, database.options.context, f);
    }
    std::vector<acme::Try> tries() {
        return read([&](db::Read& db) { return acme::tries(db, acme::joined(options.names)); });
    }
    std::optional<acme::Issued> certificate() {
        return read([](db::Read& db) { return acme::best_certificate(db, "social.example.org"); });
    }

    Authority authority;
    acme::KeeperOptions options;
    std::vector<acme::Certificate> used;
    std::vector<std::string> shown;

    std::unique_ptr<db::Connection> connection_;
    jobs::Sessions sessions_;
};
ON_EACH_DATABASE(Certificates);

TEST_P(Certificates, are_issued_once_and_renewed_after_two_thirds_of_their_time) {
    authority.bad_nonces = 3;
    turn();
    ASSERT_TRUE(certificate());
    EXPECT_EQ(authority.issued, 1);
    EXPECT_EQ(authority.accounts, 1);
    EXPECT_EQ(authority.proved_by, "tls-alpn-01");
    EXPECT_EQ(shown, std::vector<std::string>{"social.example.org"});
    EXPECT_EQ(used.back(), (acme::Certificate{certificate()->chain, certificate()->key}));
    EXPECT_TRUE(read([](db::Read& db) { return acme::proofs(db); }).empty());
    const auto first = certificate();

    wait(60 * day - hour);
    turn();
    EXPECT_EQ(authority.issued, 1);
    wait(2 * hour);
    turn();
    EXPECT_EQ(authority.issued, 2);
    EXPECT_EQ(authority.accounts, 1);
    EXPECT_NE(certificate()->key, first->key);
}

TEST_P(Certificates, are_renewed_when_their_authority_wants_it) {
    turn();
    authority.window = {authority.clock_ms + 10 * day, authority.clock_ms + 12 * day};
    wait(hour * 7);
    turn();
    EXPECT_EQ(authority.issued, 1);
    EXPECT_GE(certificate()->renew_at.ms, authority.window.first);
    EXPECT_LE(certificate()->renew_at.ms, authority.window.second);
    wait(12 * day);
    turn();
    EXPECT_EQ(authority.issued, 2);
    EXPECT_THAT(authority.replaced, HasSubstr("."));
}

TEST_P(Certificates, are_renewed_also_where_the_authority_does_not_see_what_they_replace) {
    authority.window = {authority.clock_ms + 30 * day, authority.clock_ms + 31 * day};
    turn();
    for (const char* refusal : {"malformed", "alreadyReplaced", "unauthorized"}) {
        SCOPED_TRACE(refusal);
        authority.replacing_refusal = refusal;
        const auto orders = std::ranges::count(authority.asked, "/order");
        const auto issued = authority.issued;
        wait(70 * day);
        turn();
        EXPECT_EQ(authority.issued, issued + 1);
        EXPECT_EQ(authority.replaced, "");
        EXPECT_EQ(std::ranges::count(authority.asked, "/order"), orders + 2);
        EXPECT_NE(tries().back().outcome, acme::Outcome::failed);
    }
    // What passes is no word about that.
    authority.replacing_refusal = "rateLimited";
    const auto orders = std::ranges::count(authority.asked, "/order");
    wait(70 * day);
    turn();
    EXPECT_EQ(std::ranges::count(authority.asked, "/order"), orders + 1);
    EXPECT_EQ(tries().back().outcome, acme::Outcome::failed);
}

TEST_P(Certificates, of_another_authority_are_not_named_to_this_one) {
    authority.window = {authority.clock_ms + 30 * day, authority.clock_ms + 31 * day};
    turn();
    options.directory = "https://authority.example/directory?other";
    options.fetch = [&](base::Fetch question) {
        if (question.url == options.directory) question.url = "https://authority.example/directory";
        return authority.answer(question);
    };
    authority.replacing_refusal = "malformed";
    turn();
    EXPECT_EQ(authority.issued, 2);
    EXPECT_EQ(certificate()->directory, options.directory);
    EXPECT_EQ(std::ranges::count(authority.asked, "/order"), 2);
}

TEST_P(Certificates, come_from_another_account_where_the_authority_forgot_ours) {
    Authority staging;
    options.rehearsal_directory = "https://authority.example/directory?staging";
    bool rehearsing = true;
    options.fetch = [&](base::Fetch question) {
        if (question.url.find("/directory") != question.url.npos)
            rehearsing = question.url == options.rehearsal_directory;
        if (question.url == options.rehearsal_directory) question.url = options.directory;
        return rehearsing ? staging.answer(question) : authority.answer(question);
    };
    turn();
    EXPECT_EQ(authority.issued, 1);
    authority.forgetful = true;
    wait(70 * day);
    turn();
    EXPECT_EQ(authority.issued, 2);
    EXPECT_EQ(authority.accounts, 2);
    EXPECT_EQ(staging.accounts, 1);
    authority.forgetful = staging.forgetful = true;
    options.names = {"other.example.org"};
    wait(hour);
    turn();
    EXPECT_EQ(staging.issued, 2);
    EXPECT_EQ(staging.accounts, 2);
    EXPECT_EQ(authority.issued, 3);
    EXPECT_EQ(authority.accounts, 3);
}

// An order under way belonged to the account that is gone.
TEST_P(Certificates, come_from_another_account_also_in_the_middle_of_an_order) {
    authority.dies_at = "/order/1";
    EXPECT_THROW(turn(), Authority::Died);
    db::write_now(*connection_, database.options.context, acme::release_lease);
    authority.forgetful = true;
    turn();
    EXPECT_EQ(authority.issued, 1);
    EXPECT_EQ(authority.accounts, 2);
}

TEST_P(Certificates, stay_in_use_while_their_authority_refuses_or_is_away) {
    turn();
    wait(70 * day);
    authority.away = true;
    turn();
    EXPECT_THAT(tries().back().told, HasSubstr("does not answer"));
    authority.away = false;
    authority.refusal = "caa";
    wait(hour);
    turn();
    EXPECT_THAT(tries().back().told, HasSubstr("CAA forbids it (caa)"));
    EXPECT_EQ(authority.issued, 1);
    EXPECT_EQ(used.back().chain, certificate()->chain);
    authority.refusal.clear();
    wait(hour);
    turn();
    EXPECT_EQ(authority.issued, 2);
}

// A user of another server burnt the quota of a week in an afternoon.
TEST_P(Certificates, are_asked_for_20_times_a_week_at_most_while_it_fails) {
    authority.refusal = "unauthorized";
    for (std::int64_t minutes = 0; minutes < 7 * 24 * 60 - 10; minutes += 5) {
        turn();
        wait(5 * 60'000);
    }
    const auto asked = std::ranges::count(authority.asked, "/order");
    EXPECT_LE(asked, 20);
    EXPECT_GE(asked, 10);
}

TEST_P(Certificates, wait_as_long_as_the_authority_says) {
    authority.refusal = "rateLimited";
    authority.retry_after = 2 * 86'400;
    turn();
    wait(2 * day - hour);
    turn();
    EXPECT_EQ(std::ranges::count(authority.asked, "/order"), 1);
    wait(2 * hour);
    authority.refusal.clear();
    turn();
    EXPECT_EQ(authority.issued, 1);
}

TEST_P(Certificates, are_proved_the_other_way_when_the_first_failed) {
    authority.invalid = "tls-alpn-01";
    turn();
    EXPECT_THAT(tries().back().told, HasSubstr("nobody answered (connection)"));
    EXPECT_FALSE(certificate());
    wait(hour);
    turn();
    EXPECT_EQ(authority.proved_by, "http-01");
    EXPECT_TRUE(certificate());
}

TEST_P(Certificates, go_on_with_their_order_after_a_kill_at_any_step) {
    for (const char* step :
         {"/account",
          "/directory",
          "/order",
          "/authorization",
          "/proof/tls-alpn-01",
          "/order/1",
          "/finalize",
          "/certificate"}) {
        SCOPED_TRACE(step);
        options.names = {std::string("name") + std::to_string(authority.issued) + ".example.org"};
        const auto orders = authority.orders, issued = authority.issued;
        authority.dies_at = step;
        EXPECT_THROW(turn(), Authority::Died);
        db::write_now(*connection_, database.options.context, acme::release_lease);
        turn();
        EXPECT_EQ(authority.issued, issued + 1);
        // An order of which nothing was written down is lost, and no other.
        EXPECT_EQ(authority.orders, orders + (std::string(step) == "/order" ? 2 : 1));
        authority.clock_ms += 1;
        database.clock_ms += 1;
    }
}

TEST_P(Certificates, are_the_business_of_one_node_at_a_time) {
    auto other = options;
    other.node = "there";
    authority.dies_at = "/order/1";
    EXPECT_THROW(turn(), Authority::Died);
    acme::Keeper there(sessions_, other);
    there.load();
    EXPECT_EQ(there.answer("token-tls-alpn-01").value_or("").substr(0, 18), "token-tls-alpn-01.");
    there.turn();
    EXPECT_EQ(authority.orders, 1);
    EXPECT_EQ(authority.issued, 0);
    wait(3 * 60'000);  // the lease of the other is over
    there.turn();
    EXPECT_EQ(authority.orders, 1);
    EXPECT_EQ(authority.issued, 1);
    turn();
    EXPECT_EQ(authority.issued, 1);
    EXPECT_EQ(used.back().chain, certificate()->chain);
}

TEST_P(Certificates, are_not_renewed_by_a_clock_that_is_wrong) {
    turn();
    database.clock_ms += 200 * day;
    for (int i = 0; i < 5; ++i) {
        turn();
        wait(hour);
    }
    EXPECT_EQ(authority.issued, 1);
    EXPECT_EQ(std::ranges::count(authority.asked, "/order"), 1);
    database.clock_ms -= 200 * day;
    wait(61 * day);
    turn();
    EXPECT_EQ(authority.issued, 2);
}

TEST_P(Certificates, of_new_names_are_rehearsed_where_failures_hardly_count) {
    Authority staging;
    options.rehearsal_directory = "https://authority.example/directory?staging";
    bool rehearsing = true;
    options.fetch = [&](const base::Fetch& question) {
        if (question.url.ends_with("?staging")) rehearsing = true;
        else if (question.url.ends_with("/directory")) rehearsing = false;
        auto asked = question;
        if (question.url.ends_with("?staging")) asked.url = options.directory;
        return rehearsing ? staging.answer(asked) : authority.answer(asked);
    };
    staging.invalid = "tls-alpn-01";
    turn();
    EXPECT_EQ(authority.asked.size(), 0u);
    staging.invalid.clear();
    wait(hour);
    turn();
    EXPECT_EQ(staging.issued, 1);
    EXPECT_EQ(authority.issued, 1);
    ASSERT_TRUE(certificate());
    EXPECT_EQ(certificate()->directory, options.directory);
    wait(70 * day);
    turn();
    EXPECT_EQ(staging.issued, 1);
    EXPECT_EQ(authority.issued, 2);
}

TEST_P(Certificates, bind_their_account_where_the_authority_wants_it) {
    authority.wants_binding = "kid-1";
    turn();
    EXPECT_THAT(tries().back().told, HasSubstr("externalAccountRequired"));
    options.binding = {"kid-1", "c2VjcmV0"};
    wait(hour);
    turn();
    EXPECT_EQ(authority.bound_by, "kid-1");
    EXPECT_TRUE(certificate());
}

TEST_P(Certificates, are_issued_anew_for_other_names_and_when_somebody_asks) {
    turn();
    options.names = {"social.example.org", "files.example.org"};
    wait(hour);
    turn();
    EXPECT_EQ(authority.issued, 2);
    EXPECT_EQ(
        used.back().chain, read([](db::Read& db) {
                               return acme::best_certificate(db, "social.example.org files.example.org");
                           })->chain
    );
    db::write_now(*connection_, database.options.context, acme::want_certificate);
    wait(hour);
    turn();
    EXPECT_EQ(authority.issued, 3);
    turn();
    EXPECT_EQ(authority.issued, 3);
}

}  // namespace
