// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/peer.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const std::string blocks = "/api/v1/admin/domain_blocks", allows = "/api/v1/admin/domain_allows";

struct AdminDomains : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner);

    Answer block(const std::string& domain, Fields fields = {}) {
        fields.emplace_back("domain", domain);
        return owner.post(blocks, fields);
    }
    instance::DomainLimit limit(const std::string& domain) {
        return w.read([&](db::Read& db) { return instance::limit_on(db, domain); });
    }
};
ON_EACH_DATABASE(AdminDomains);

TEST_P(AdminDomains, are_blocked_changed_and_let_go) {
    auto made = block(" BAD.example ", {{"severity", "suspend"}, {"public_comment", "spam"}});
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(made["domain"], "bad.example");
    EXPECT_EQ(made["severity"], "suspend");
    EXPECT_TRUE(limit("sub.bad.example").suspended);
    auto path = blocks + "/" + made.id();
    auto changed = owner.put(path, {{"public_comment", "more spam"}, {"domain", "other.example"}});
    EXPECT_EQ(changed["severity"], "suspend");
    EXPECT_EQ(changed["public_comment"], "more spam");
    EXPECT_EQ(changed["domain"], "bad.example");
    EXPECT_EQ(owner.put(path, {{"severity", "silence"}})["severity"], "silence");
    EXPECT_FALSE(limit("bad.example").suspended);
    EXPECT_EQ(
        owner.put(path, {{"severity", "odd"}}).error(),
        "Validation failed: Severity is not included in the list"
    );
    EXPECT_EQ(owner.get(path)["digest"].size(), 64u);
    EXPECT_EQ(owner.del(path).body, "{}");
    EXPECT_EQ(owner.del(path).status, 404);
    EXPECT_FALSE(limit("bad.example").silenced);
    EXPECT_THAT(
        logged(w, owner),
        ElementsAre("create DomainBlock", "update DomainBlock", "update DomainBlock", "destroy DomainBlock")
    );
}

TEST_P(AdminDomains, that_are_none_are_refused) {
    EXPECT_EQ(block("").error(), "Validation failed: Domain can't be blank");
    EXPECT_EQ(block("not a domain").error(), "Validation failed: Domain is not a valid domain name");
    EXPECT_EQ(block(w.site().domain).status, 422);
    EXPECT_EQ(block("a.example", {{"severity", ""}}).status, 422);
    EXPECT_EQ(owner.post(blocks).error(), "Validation failed: Domain can't be blank");
    EXPECT_EQ(w.changed(), "");
}

TEST_P(AdminDomains, below_one_that_is_blocked_need_a_stricter_rule) {
    auto tries = [&](const Fields& parent, const Fields& child) {
        auto above = block("b.org", parent);
        auto below = block("a.b.org", child);
        if (below.status == 422) {
            EXPECT_EQ(below.error(), "You have already imposed stricter limits on a.b.org.");
            EXPECT_EQ(below["existing_domain_block.domain"], "b.org");
        } else {
            owner.del(blocks + "/" + below.id());
        }
        owner.del(blocks + "/" + above.id());
        return below.status;
    };
    Fields silence{{"severity", "silence"}}, suspend{{"severity", "suspend"}}, noop{{"severity", "noop"}};
    EXPECT_EQ(tries(silence, silence), 200);
    EXPECT_EQ(tries({{"severity", "silence"}, {"reject_media", "1"}}, silence), 422);
    EXPECT_EQ(tries({{"severity", "silence"}, {"reject_media", "1"}}, suspend), 200);
    EXPECT_EQ(tries(suspend, suspend), 200);
    EXPECT_EQ(tries(suspend, noop), 422);
    EXPECT_EQ(tries(suspend, silence), 422);
    EXPECT_EQ(tries(silence, noop), 422);
    EXPECT_EQ(tries(noop, silence), 200);
    block("b.org");
    auto again = block("B.org", suspend);
    EXPECT_EQ(again.status, 422);
    EXPECT_EQ(again["existing_domain_block.domain"], "b.org");
}

TEST_P(AdminDomains, are_decided_about_by_the_longest_rule_alone) {
    block("a.b.org", {{"severity", "noop"}});
    EXPECT_EQ(block("b.org", {{"severity", "suspend"}}).status, 200);
    EXPECT_FALSE(limit("a.b.org").suspended);
    EXPECT_FALSE(limit("deep.a.b.org").suspended);
    EXPECT_TRUE(limit("c.b.org").suspended);
    EXPECT_TRUE(limit("b.org:3000").suspended);
}

TEST_P(AdminDomains, keep_what_was_decided_about_single_accounts) {
    Peer frida(w, "frida", "far.example"), greta(w, "greta", "far.example");
    frida.known(), greta.known();
    auto path = [](const Peer& peer) { return "/api/v1/admin/accounts/" + std::to_string(peer.id.value); };
    owner.post(path(frida) + "/action", {{"type", "silence"}});
    auto made = block("far.example");
    w.run_jobs();
    EXPECT_EQ(owner.get(path(greta))["silenced"], "true");
    owner.put(blocks + "/" + made.id(), {{"severity", "noop"}});
    w.run_jobs();
    EXPECT_EQ(owner.get(path(greta))["silenced"], "false");
    EXPECT_EQ(owner.get(path(frida))["silenced"], "true");
}

TEST_P(AdminDomains, are_told_with_stars_where_that_is_wanted) {
    w.write([](db::Write& db) {
        instance::put_domain_block(db, {"example.com", instance::Severity::suspend, true});
    });
    auto shown = w.read([](db::Read& db) { return instance::domain_blocks(db, true); });
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_EQ(shown[0].domain, "exa****.*om");
}

TEST_P(AdminDomains, come_in_pages) {
    for (auto domain : {"a.example", "b.example", "c.example"})
        block(domain), owner.post(allows, {{"domain", domain}});
    for (const auto& path : {blocks, allows}) {
        auto first = owner.get(path, {{"limit", "2"}});
        EXPECT_THAT(first.all("domain"), ElementsAre("c.example", "b.example"));
        EXPECT_THAT(owner.get(first.link("next")).all("domain"), ElementsAre("a.example"));
        EXPECT_THAT(owner.get(path, {{"since_id", first.ids()[1]}}).all("domain"), ElementsAre("c.example"));
    }
}

TEST_P(AdminDomains, are_allowed_once_in_any_spelling) {
    auto made = owner.post(allows, {{"domain", "Exämple.ORG/"}});
    EXPECT_EQ(made["domain"], "xn--exmple-cua.org");
    EXPECT_EQ(owner.post(allows, {{"domain", "xn--exmple-cua.org"}}).id(), made.id());
    EXPECT_EQ(owner.post(allows).error(), "Validation failed: Domain can't be blank");
    EXPECT_EQ(owner.get(allows + "/" + made.id())["domain"], "xn--exmple-cua.org");
    EXPECT_EQ(owner.del(allows + "/" + made.id()).body, "{}");
    EXPECT_THAT(owner.get(allows).ids(), IsEmpty());
    EXPECT_THAT(logged(w, owner), ElementsAre("create DomainAllow", "destroy DomainAllow"));
}

TEST_P(AdminDomains, that_are_not_allowed_any_more_are_gone_at_once) {
    Peer frida(w, "frida", "far.example");
    auto made = owner.post(allows, {{"domain", "far.example"}});
    frida.known();
    w.write([](db::Write& db) { instance::set_federation_mode(db, {false, true, {"configured.example"}}); });
    EXPECT_FALSE(limit("far.example").suspended);
    EXPECT_TRUE(limit("sub.far.example").suspended);
    EXPECT_FALSE(limit("sub.configured.example").suspended);
    owner.del(allows + "/" + made.id());
    w.run_jobs();
    EXPECT_TRUE(limit("far.example").suspended);
    EXPECT_EQ(owner.get("/api/v1/admin/accounts/" + std::to_string(frida.id.value))["suspended"], "true");
}

}  // namespace
