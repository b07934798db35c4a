// SPDX-License-Identifier: AGPL-3.0-or-later
#include "internet.hpp"
#include "net/mail.hpp"
#include "social/accounts/users/invite.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty;

const std::string of_mail = "/api/v1/admin/email_domain_blocks", of_ips = "/api/v1/admin/ip_blocks",
                  of_addresses = "/api/v1/admin/canonical_email_blocks",
                  of_names = "/api/dunlin/v1/moderation/username_blocks";

struct AdminBlocks : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), app = w.app("read write");

    Answer sign_up(const std::string& name, const std::string& email, const Fields& more = {}) {
        Fields fields{
            {"username", name},
            {"email", email},
            {"password", "long enough a password"},
            {"agreement", "true"}
        };
        fields.insert(fields.end(), more.begin(), more.end());
        return app.post("/api/v1/accounts", fields);
    }
    // By the IP address of who asks, which the stage does not set.
    Answer from(const std::string& address, const std::string& target) {
        http::Request request;
        request.method = http::Method::get;
        request.target = target;
        request.remote_address = address;
        return w.send(std::move(request));
    }
    std::string state_of(const std::string& name) {
        auto found = owner.get("/api/v2/admin/accounts", {{"username", name}});
        return found["0.approved"];
    }
};
ON_EACH_DATABASE(AdminBlocks);

TEST_P(AdminBlocks, of_mail_providers_hold_for_those_below_and_count_who_tries) {
    auto made = owner.post(of_mail, {{"domain", "Spam.example"}});
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(made["domain"], "spam.example");
    auto refused = sign_up("eve", "eve@mx.spam.example");
    EXPECT_EQ(refused.status, 422);
    EXPECT_EQ(refused["details.email.0.error"], "ERR_BLOCKED");
    sign_up("eve", "eve@mx.spam.example"), sign_up("eva", "eva@spam.example");
    auto shown = owner.get(of_mail + "/" + made.id());
    EXPECT_EQ(shown["history.0.uses"], "3");
    EXPECT_EQ(shown["history.0.accounts"], "2");
    EXPECT_EQ(shown["history.1.uses"], "0");
    EXPECT_EQ(
        owner.post(of_mail, {{"domain", "spam.example"}}).error(),
        "Validation failed: Domain has already been taken"
    );
    EXPECT_EQ(owner.post(of_mail).error(), "Validation failed: Domain can't be blank");
    EXPECT_EQ(owner.post(of_mail, {{"domain", "a b"}}).status, 422);
    auto code = w.write([&](db::Write& db) {
        return accounts::create_invite(db, {{std::stoll(owner.id)}, {}, {}, false});
    });
    EXPECT_EQ(sign_up("guest", "guest@spam.example", {{"invite_code", code}}).status, 200);
    EXPECT_EQ(owner.del(of_mail + "/" + made.id()).body, "{}");
    EXPECT_EQ(sign_up("eve", "eve@mx.spam.example").status, 200);
    EXPECT_THAT(logged(w, owner), ElementsAre("create EmailDomainBlock", "destroy EmailDomainBlock"));
}

TEST_P(AdminBlocks, of_mail_providers_hold_for_the_hosts_that_take_the_mail) {
    auto made = owner.post(of_mail, {{"domain", "bulk.example"}});
    internet().mail_hosts["shop.example"] = {true, {"mx1.fine.example", "mx.eu.bulk.example"}};
    internet().mail_hosts["fine.example"] = {true, {"mx1.fine.example"}};
    internet().mail_hosts["nowhere.example"] = {true, {}};
    EXPECT_EQ(sign_up("eve", "eve@shop.example")["details.email.0.error"], "ERR_BLOCKED");
    EXPECT_EQ(owner.get(of_mail + "/" + made.id())["history.0.uses"], "1");
    EXPECT_EQ(sign_up("ann", "ann@fine.example").status, 200);
    auto gone = sign_up("bea", "bea@nowhere.example");
    EXPECT_EQ(gone.status, 422);
    EXPECT_EQ(gone["details.email.0.error"], "ERR_UNREACHABLE");
    EXPECT_EQ(sign_up("bea", "bea@unknown.example").status, 200);  // DNS did not answer
    auto code = w.write([&](db::Write& db) {
        return accounts::create_invite(db, {{std::stoll(owner.id)}, {}, {}, false});
    });
    EXPECT_EQ(sign_up("cid", "cid@shop.example", {{"invite_code", code}}).status, 200);
    EXPECT_EQ(sign_up("dan", "dan@nowhere.example", {{"invite_code", code}}).status, 422);
    owner.del(of_mail + "/" + made.id());
    owner.post(of_mail, {{"domain", "eu.bulk.example"}, {"allow_with_approval", "true"}});
    EXPECT_EQ(sign_up("eve", "eve@shop.example").status, 200);
    EXPECT_EQ(state_of("eve"), "false");
}

TEST_P(AdminBlocks, of_mail_providers_may_ask_for_approval_instead) {
    owner.post(of_mail, {{"domain", "odd.example"}, {"allow_with_approval", "true"}});
    EXPECT_EQ(sign_up("eve", "eve@odd.example").status, 200);
    EXPECT_EQ(sign_up("ann", "ann@fine.example").status, 200);
    EXPECT_EQ(state_of("eve"), "false");
    EXPECT_EQ(state_of("ann"), "true");
}

TEST_P(AdminBlocks, of_addresses_see_through_dots_and_pluses) {
    auto made = owner.post(of_addresses, {{"email", "A.l.i.ce+x@Example.org"}});
    ASSERT_EQ(made.status, 200) << made.body;
    auto tested = owner.post(of_addresses + "/test", {{"email", "alice@example.org"}});
    EXPECT_THAT(tested.ids(), ElementsAre(made.id()));
    EXPECT_THAT(owner.post(of_addresses + "/test", {{"email", "bob@example.org"}}).ids(), IsEmpty());
    EXPECT_EQ(owner.post(of_addresses + "/test").status, 400);
    EXPECT_EQ(sign_up("alice", "al.ice@example.org")["details.email.0.error"], "ERR_TAKEN");
    EXPECT_EQ(owner.post(of_addresses, {{"canonical_email_hash", made["canonical_email_hash"]}}).status, 422);
    EXPECT_EQ(owner.post(of_addresses).error(), "Validation failed: Canonical email hash can't be blank");
    EXPECT_EQ(owner.post(of_addresses, {{"canonical_email_hash", "abc"}}).status, 422);
    EXPECT_EQ(owner.post(of_addresses, {{"email", "nobody"}}).status, 422);
    EXPECT_EQ(owner.del(of_addresses + "/" + made.id()).status, 200);
    EXPECT_EQ(sign_up("alice", "al.ice@example.org").status, 200);
}

TEST_P(AdminBlocks, of_addresses_take_the_address_before_its_hash) {
    auto made = owner.post(
        of_addresses, {{"email", "alice@example.org"}, {"canonical_email_hash", std::string(64, 'a')}}
    );
    EXPECT_NE(made["canonical_email_hash"], std::string(64, 'a'));
    EXPECT_THAT(
        owner.post(of_addresses + "/test", {{"email", "alice@example.org"}}).ids(), ElementsAre(made.id())
    );
    auto by_hash = owner.post(of_addresses, {{"canonical_email_hash", std::string(64, 'a')}});
    EXPECT_EQ(by_hash["canonical_email_hash"], std::string(64, 'a'));
}

TEST_P(AdminBlocks, come_in_pages) {
    auto add = [&](const std::string& path, const std::string& name) {
        if (path == of_ips) return owner.post(path, {{"ip", name}, {"severity", "sign_up_block"}}).id();
        return owner.post(path, {{path == of_mail ? "domain" : "email", name}}).id();
    };
    std::map<std::string, std::vector<std::string>> names{
        {of_mail, {"a.example", "b.example", "c.example"}},
        {of_addresses, {"a@x.example", "b@x.example", "c@x.example"}},
        {of_ips, {"203.0.113.1", "203.0.113.2", "203.0.113.3"}}
    };
    for (const auto& [path, all] : names) {
        SCOPED_TRACE(path);
        EXPECT_EQ(owner.get(path).body, "[]");
        auto a = add(path, all[0]), b = add(path, all[1]), c = add(path, all[2]);
        EXPECT_THAT(owner.get(path).ids(), ElementsAre(c, b, a));
        auto first = owner.get(path, {{"limit", "2"}});
        EXPECT_THAT(first.ids(), ElementsAre(c, b));
        EXPECT_THAT(owner.get(first.link("next")).ids(), ElementsAre(a));
        EXPECT_THAT(owner.get(path, {{"since_id", b}}).ids(), ElementsAre(c));
        EXPECT_THAT(owner.get(path, {{"max_id", b}}).ids(), ElementsAre(a));
    }
}

TEST_P(AdminBlocks, of_networks_are_kept_as_networks) {
    auto made = owner.post(
        of_ips, {{"ip", "203.0.113.77/24"}, {"severity", "sign_up_block"}, {"expires_in", "3600"}}
    );
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(made["ip"], "203.0.113.0/24");
    EXPECT_EQ(
        owner.post(of_ips, {{"ip", "2001:db8::1"}, {"severity", "no_access"}})["ip"], "2001:db8::1/128"
    );
    auto path = of_ips + "/" + made.id();
    auto changed = owner.put(path, {{"comment", "why"}});
    EXPECT_EQ(changed["expires_at"], made["expires_at"]);
    EXPECT_EQ(changed["comment"], "why");
    EXPECT_EQ(owner.put(path, {{"expires_in", ""}})["expires_at"], "null");
    EXPECT_EQ(
        owner.post(of_ips, {{"ip", "203.0.113.0/24"}, {"severity", "no_access"}}).error(),
        "Validation failed: Ip has already been taken"
    );
    EXPECT_EQ(
        owner.post(of_ips, {{"severity", "no_access"}}).error(), "Validation failed: Ip can't be blank"
    );
    EXPECT_EQ(owner.post(of_ips, {{"ip", "192.0.3.0/24"}}).status, 422);
    EXPECT_EQ(owner.post(of_ips, {{"ip", "192.0.3.0/24"}, {"severity", "odd"}}).status, 422);
    EXPECT_EQ(owner.post(of_ips, {{"ip", "192.0.3.0/99"}, {"severity", "no_access"}}).status, 422);
    EXPECT_EQ(owner.post(of_ips, {{"ip", "127.0.0.0/8"}, {"severity", "no_access"}}).status, 422);
    EXPECT_EQ(owner.post(of_ips, {{"ip", "0.0.0.0/0"}, {"severity", "no_access"}}).status, 422);
    EXPECT_EQ(owner.del(path).body, "{}");
    EXPECT_THAT(
        logged(w, owner),
        ElementsAre("create IpBlock", "create IpBlock", "update IpBlock", "update IpBlock", "destroy IpBlock")
    );
}

TEST_P(AdminBlocks, of_networks_shut_everything_until_they_are_over) {
    owner.post(of_ips, {{"ip", "203.0.113.0/24"}, {"severity", "no_access"}, {"expires_in", "3600"}});
    EXPECT_EQ(from("203.0.113.9", "/api/v2/instance").status, 403);
    EXPECT_EQ(from("192.0.3.9", "/api/v2/instance").status, 200);
    w.advance(3601);
    EXPECT_EQ(from("203.0.113.9", "/api/v2/instance").status, 200);
    w.write(accounts::purge_ip_blocks);
    EXPECT_THAT(owner.get(of_ips).ids(), IsEmpty());
}

TEST_P(AdminBlocks, of_names_read_digits_as_letters) {
    auto exact = owner.post(of_names, {{"username", "Boss"}});
    ASSERT_EQ(exact.status, 200) << exact.body;
    owner.post(of_names, {{"username", "casino"}, {"exact", "false"}});
    owner.post(of_names, {{"username", "artist"}, {"exact", "false"}, {"allow_with_approval", "true"}});
    EXPECT_EQ(sign_up("B055", "a@fine.example")["details.username.0.error"], "ERR_RESERVED");
    EXPECT_EQ(sign_up("best_ca51n0", "b@fine.example")["details.username.0.error"], "ERR_RESERVED");
    EXPECT_EQ(sign_up("bossy", "c@fine.example").status, 200);
    EXPECT_EQ(sign_up("an_artist", "d@fine.example").status, 200);
    EXPECT_EQ(state_of("an_artist"), "false");
    EXPECT_EQ(owner.get(of_names).all("username").size(), 3u);
    EXPECT_EQ(owner.del(of_names + "/" + exact.id()).status, 200);
    EXPECT_EQ(sign_up("B055", "a@fine.example").status, 200);
}

// An answer of DNS with a question and two MX records, the second with a pointer to the first name.
TEST(MailHosts, are_read_from_what_dns_answers) {
    auto name = [](std::vector<unsigned char>& to, std::initializer_list<const char*> labels) {
        for (std::string label : labels) {
            to.push_back(static_cast<unsigned char>(label.size()));
            to.insert(to.end(), label.begin(), label.end());
        }
    };
    std::vector<unsigned char> all{0, 1, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0};
    name(all, {"a", "example"});  // at 12
    all.insert(all.end(), {0, 0, 15, 0, 1});
    auto record = [&](std::vector<unsigned char> data) {
        all.insert(
            all.end(), {0xC0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, static_cast<unsigned char>(data.size())}
        );
        all.insert(all.end(), data.begin(), data.end());
    };
    std::vector<unsigned char> first{0, 10};
    name(first, {"mx1"});
    first.insert(first.end(), {0xC0, 12});
    record(first);
    record({0, 20, 0});  // takes no mail at all
    EXPECT_THAT(net::names_in_mx_answer(all), ElementsAre("mx1.a.example"));
    for (std::size_t length = 0; length < all.size(); ++length)
        net::names_in_mx_answer({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(length)});
}

}  // namespace
