// SPDX-License-Identifier: AGPL-3.0-or-later
#include "internet.hpp"
#include "social/instance/about.hpp"
#include "social/instance/activity.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/settings.hpp"
#include "support/periodic.hpp"
#include "world.hpp"

#include "base/crypto.hpp"

namespace {

const db::Command test_remote_account{
    "test_remote_account", "INSERT INTO accounts (id, username, domain, created_at) VALUES ($1, $2, $3, 0)"
};
const db::Command test_seen{"test_seen", "UPDATE users SET last_active_at = $1"};

struct InstanceGroup : OnEachWorld {
    Person alice = w.local("alice"), nobody = w.anonymous();

    void remote(const std::string& domain, int accounts = 1) {
        w.write([&](db::Write& db) {
            for (int i = 0; i < accounts; ++i)
                db.run(test_remote_account, db.new_id<base::AccountId>(), "u" + std::to_string(i), domain);
        });
    }
    void set(const std::string& name, const std::string& value) {
        w.write([&](db::Write& db) { instance::set_setting(db, name, value); });
    }
};
ON_EACH_DATABASE(InstanceGroup);

TEST_P(InstanceGroup, tells_where_its_source_is) {
    EXPECT_EQ(nobody.get("/api/v2/instance")["source_url"], w.site().source_url);
    EXPECT_EQ(nobody.get("/api/v2/instance")["configuration.translation.enabled"], "false");
}

TEST_P(InstanceGroup, tells_the_activity_of_twelve_weeks) {
    w.write([&](db::Write& db) { db.run(test_seen, db.now()); });
    alice.status("one");
    alice.status("two");
    support::run_periodic(w, instance::count_activity);
    w.advance(7 * 86'400);
    alice.status("three");
    support::run_periodic(w, instance::count_activity);
    auto weeks = nobody.get("/api/v1/instance/activity");
    EXPECT_EQ(weeks.all("week").size(), 12u);
    EXPECT_EQ(weeks["0.statuses"], "1");
    EXPECT_EQ(weeks["1.statuses"], "2");
    EXPECT_EQ(weeks["1.logins"], "1");
    EXPECT_EQ(weeks["1.registrations"], "1");
    EXPECT_EQ(weeks["2.statuses"], "0");
    EXPECT_EQ(std::stoll(weeks["0.week"]) - std::stoll(weeks["1.week"]), 7 * 86'400);
    EXPECT_EQ((std::stoll(weeks["0.week"]) / 86'400 + 3) % 7, 0);  // Mondays
    set("activity_api_enabled", "false");
    EXPECT_EQ(nobody.get("/api/v1/instance/activity").status, 404);
}

TEST_P(InstanceGroup, tells_its_peers_without_those_it_limits) {
    remote("small.example");
    remote("big.example", 3);
    remote("blocked.example");
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"blocked.example", instance::Severity::suspend});
    });
    support::run_periodic(w, instance::list_peers);
    EXPECT_EQ(nobody.get("/api/v1/instance/peers").body, R"(["big.example","small.example"])");
    set("peers_api_enabled", "false");
    EXPECT_EQ(nobody.get("/api/v1/instance/peers").status, 404);
    EXPECT_EQ(nobody.get("/api/v1/peers/search?q=b").status, 404);
}

TEST_P(InstanceGroup, finds_peers_by_their_beginning_whatever_the_case) {
    for (auto domain : {"social.example", "society.example", "other.example", "xn--bcher-kva.example"})
        remote(domain);
    for (int i = 0; i < 12; ++i) remote("many" + std::to_string(i) + ".example");
    support::run_periodic(w, instance::list_peers);
    auto found = [&](const std::string& q) { return nobody.get("/api/v1/peers/search?q=" + q).body; };
    EXPECT_EQ(found("SOCI"), R"(["social.example","society.example"])");
    EXPECT_EQ(found("B%C3%BCcher"), R"(["xn--bcher-kva.example"])");
    EXPECT_EQ(found("example"), "[]");
    EXPECT_EQ(found("%2F%2F%00"), "[]");
    EXPECT_EQ(found(""), "null");
    EXPECT_EQ(found("%20"), "null");
    EXPECT_EQ(nobody.get("/api/v1/peers/search").body, "null");
    EXPECT_EQ(std::ranges::count(found("many"), ','), 9);
}

TEST_P(InstanceGroup, shows_domain_blocks_to_whom_moderators_allow) {
    w.write([](db::Write& db) {
        using instance::Severity;
        instance::put_domain_block(db, {"zzz.example", Severity::silence, false, "spam"});
        instance::put_domain_block(db, {"evilserver.example", Severity::suspend, true, "evil"});
        instance::put_domain_block(db, {"noted.example", Severity::noop, false, "note"});
    });
    EXPECT_EQ(nobody.get("/api/v1/instance/domain_blocks").status, 404);
    EXPECT_EQ(alice.get("/api/v1/instance/domain_blocks").status, 404);
    set("show_domain_blocks", "users");
    EXPECT_EQ(nobody.get("/api/v1/instance/domain_blocks").status, 404);
    auto shown = alice.get("/api/v1/instance/domain_blocks");
    EXPECT_EQ(shown.all("severity"), (std::vector<std::string>{"silence", "suspend"}));
    EXPECT_EQ(shown["0.domain"], "zzz.example");
    EXPECT_EQ(shown["0.comment"], "null");
    EXPECT_EQ(shown["1.domain"].find("server"), std::string::npos);
    EXPECT_NE(shown["1.domain"].find('*'), std::string::npos);
    EXPECT_EQ(shown["1.digest"], base::sha256_hex("evilserver.example"));
    set("show_domain_blocks", "all");
    set("show_domain_blocks_rationale", "users");
    EXPECT_EQ(nobody.get("/api/v1/instance/domain_blocks")["0.comment"], "null");
    EXPECT_EQ(alice.get("/api/v1/instance/domain_blocks")["0.comment"], "spam");
}

TEST_P(InstanceGroup, shows_what_the_operator_wrote) {
    auto empty = nobody.get("/api/v1/instance/extended_description");
    EXPECT_EQ(empty["content"], "");
    EXPECT_EQ(empty["updated_at"], "null");
    EXPECT_NE(nobody.get("/api/v1/instance/privacy_policy")["content"], "");
    w.write([](db::Write& db) {
        instance::set_text(db, instance::Text::extended_description, "Hello *you* <script>x</script>");
        instance::set_text(db, instance::Text::privacy_policy, "# Ours");
    });
    auto written = nobody.get("/api/v1/instance/extended_description");
    EXPECT_NE(written["content"].find("<em>you</em>"), std::string::npos);
    EXPECT_EQ(written["content"].find("<script"), std::string::npos);
    EXPECT_EQ(written["updated_at"].find('.'), std::string::npos);
    EXPECT_NE(nobody.get("/api/v1/instance/privacy_policy")["content"].find("Ours"), std::string::npos);
}

TEST_P(InstanceGroup, shows_the_terms_in_force_and_those_of_a_day) {
    EXPECT_EQ(nobody.get("/api/v1/instance/terms_of_service").status, 404);
    auto day = [&](int days) { return base::Date{w.now().midnight().ms + days * 86'400'000LL}; };
    w.write([&](db::Write& db) {
        instance::publish_terms(db, "old", day(-30));
        instance::publish_terms(db, "current", day(-1));
        instance::publish_terms(db, "coming", day(30));
    });
    auto now = nobody.get("/api/v1/instance/terms_of_service");
    EXPECT_EQ(now["effective_date"], base::to_string(day(-1)));
    EXPECT_EQ(now["effective"], "true");
    EXPECT_EQ(now["succeeded_by"], base::to_string(day(30)));
    EXPECT_NE(now["content"].find("current"), std::string::npos);
    const std::string path = "/api/v1/instance/terms_of_service/";
    auto coming = nobody.get(path + base::to_string(day(30)));
    EXPECT_EQ(coming["effective"], "false");
    EXPECT_EQ(coming["succeeded_by"], "null");
    for (auto bad : {"2020-01-01", "yesterday", "0", "2026-99-99"})
        EXPECT_EQ(nobody.get(path + bad).status, 404);
}

TEST_P(InstanceGroup, lists_the_languages_it_knows) {
    auto languages = nobody.get("/api/v1/instance/languages");
    auto codes = languages.all("code");
    EXPECT_GT(codes.size(), 100u);
    EXPECT_NE(std::ranges::find(codes, "en"), codes.end());
}

TEST_P(InstanceGroup, tells_how_a_refresh_goes_to_who_knows_its_id) {
    const std::string path = "/api/v1_alpha/async_refreshes/";
    auto begin = [&] {
        return w.write([](db::Write& db) { return instance::begin_refresh(db, "context:1"); });
    };
    EXPECT_TRUE(begin());
    EXPECT_FALSE(begin());
    auto known = w.read([](db::Read& db) { return *instance::find_refresh(db, "context:1"); });
    EXPECT_EQ(instance::refresh_header(known, 5), "id=\"" + known.id + "\", retry=5");
    auto running = alice.get(path + known.id);
    EXPECT_EQ(running["async_refresh.id"], known.id);
    EXPECT_EQ(running["async_refresh.status"], "running");
    EXPECT_EQ(running["async_refresh.result_count"], "null");
    w.write([](db::Write& db) {
        instance::count_results(db, "context:1", 3);
        instance::finish_refresh(db, "context:1");
    });
    auto finished = alice.get(path + known.id);
    EXPECT_EQ(finished["async_refresh.status"], "finished");
    EXPECT_EQ(finished["async_refresh.result_count"], "3");
    auto forged = known.id;
    forged.back() = forged.back() == '0' ? '1' : '0';
    for (auto id : {forged, known.id.substr(0, known.id.find('-')), std::string("x"), std::string("0-0")})
        EXPECT_EQ(alice.get(path + id).status, 404) << id;
    EXPECT_EQ(nobody.get(path + known.id).status, 401);
    EXPECT_EQ(w.with_scopes(alice, "read:statuses").get(path + known.id).status, 403);
    w.advance(3601);
    EXPECT_EQ(alice.get(path + known.id).status, 404);
    w.write(instance::purge_refreshes);
    EXPECT_TRUE(begin());
}

TEST_P(InstanceGroup, collects_no_donations) {
    EXPECT_EQ(alice.get("/api/v1/donation_campaigns").status, 204);
}

TEST_P(InstanceGroup, introduces_itself_to_crawlers) {
    auto links = nobody.get("/.well-known/nodeinfo");
    EXPECT_EQ(links["links.0.href"], "http://localhost:3000/nodeinfo/2.0");
    EXPECT_EQ(links["links.1.href"], "http://localhost:3000/nodeinfo/2.1");
    EXPECT_EQ(links["links.2.href"], "http://localhost:3000/actor");
    auto newer = nobody.get("/nodeinfo/2.1");
    EXPECT_EQ(newer["version"], "2.1");
    EXPECT_EQ(newer["software.repository"], "http://localhost:3000");
    auto info = nobody.get("/nodeinfo/2.0");
    EXPECT_EQ(info["software.repository"], "absent");
    EXPECT_EQ(info["version"], "2.0");
    EXPECT_EQ(info["software.name"], "dunlin");
    EXPECT_EQ(info["protocols.0"], "activitypub");
    EXPECT_EQ(info["openRegistrations"], "true");
    EXPECT_EQ(info["metadata.nodeName"], "Dunlin");
    EXPECT_EQ(info["metadata.upstream.name"], "mastodon");
    EXPECT_EQ(info.header("Cache-Control"), "max-age=1800, public");
}

}  // namespace
