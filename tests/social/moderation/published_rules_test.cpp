// SPDX-License-Identifier: AGPL-3.0-or-later
// This site's rules about servers as a FIRES dataset: who may read it, and that a reader of FIRES understands each change.
#include "social/instance/settings.hpp"
#include "social/moderation/list_sources/fires.hpp"
#include "social/moderation/published_rules/published_rule.hpp"
#include "social/moderation/staff.hpp"
#include "support/periodic.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::HasSubstr, testing::Not;

const std::string dataset = "/fires/datasets/rules", blocks = "/api/v1/admin/domain_blocks";

struct PublishedRules : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), alice = w.local("alice"), nobody = w.anonymous();
    moderation::Copy copy;
    std::string cursor;

    void show_to(const std::string& whom, const std::string& setting = "show_domain_blocks") {
        w.write([&](db::Write& db) { instance::set_setting(db, setting, whom); });
        w.changed();
    }
    std::string block(const std::string& domain, const std::string& severity, const Fields& more = {}) {
        Fields form{{"domain", domain}, {"severity", severity}};
        form.insert(form.end(), more.begin(), more.end());
        return owner.post(blocks, form).id();
    }
    void note() { support::run_periodic(w, moderation::note_published_rules); }
    std::string path_of(const std::string& url) const {
        const auto at = url.find("/fires/");
        return at == url.npos ? std::string() : url.substr(at);
    }
    moderation::FiresPage page(const std::string& path) {
        const auto answer = nobody.get(path);
        EXPECT_EQ(answer.status, 200) << path << answer.body;
        EXPECT_THAT(answer.header("Content-Type"), HasSubstr("application/ld+json"));
        return moderation::read_fires_page(answer.body, "reader.example");
    }
    // As a subscriber does it: the snapshot once, then what has changed.
    void read() {
        note();
        if (cursor.empty()) {
            const auto points = moderation::read_fires_dataset(nobody.get(dataset).body);
            const auto all = page(path_of(points.snapshot));
            moderation::apply_changes(copy, all.changes);
            cursor = path_of(all.goes_on);
        }
        for (;;) {
            const auto some = page(cursor);
            EXPECT_EQ(some.refused, 0);
            moderation::apply_changes(copy, some.changes);
            if (some.next.empty()) return;
            cursor = path_of(some.next);
        }
    }
    std::vector<std::string> understood() {
        std::vector<std::string> out;
        for (const auto& one : copy) {
            const auto rule = moderation::rule_of(one, moderation::Ceiling::suspend);
            out.push_back(
                one.key + " " + std::string(base::word(rule->severity)) +
                (rule->reject_media ? " media" : "") + (rule->reject_reports ? " reports" : "") +
                (one.comment.empty() ? "" : ": " + one.comment)
            );
        }
        return out;
    }
};
ON_EACH_DATABASE(PublishedRules);

TEST_P(PublishedRules, are_read_as_they_are_meant_and_followed_as_they_change) {
    show_to("all");
    block("a.example", "suspend");
    const auto b = block("b.example", "silence", {{"reject_media", "true"}, {"public_comment", "Unkind"}});
    block("c.example", "noop", {{"reject_reports", "true"}});
    block("d.example", "noop");
    block("e.example", "suspend", {{"obfuscate", "true"}});
    read();
    EXPECT_THAT(
        understood(), ElementsAre("a.example suspend", "b.example silence media", "c.example noop reports")
    );
    block("f.example", "suspend");
    owner.del(blocks + "/" + b);
    read();
    EXPECT_THAT(
        understood(), ElementsAre("a.example suspend", "c.example noop reports", "f.example suspend")
    );
    block("b.example", "suspend");
    read();
    EXPECT_THAT(
        understood(),
        ElementsAre("a.example suspend", "b.example suspend", "c.example noop reports", "f.example suspend")
    );
    // Who reads from the first change on hears the same.
    const auto first = page(dataset + "/changes").first;
    copy.clear();
    cursor = path_of(first);
    read();
    EXPECT_THAT(understood(), testing::SizeIs(4));
}

TEST_P(PublishedRules, come_in_pages) {
    show_to("all");
    std::string list;
    for (int i = 1000; i < 1450; ++i) list += "d" + std::to_string(i) + ".example\n";
    owner.post("/api/dunlin/v1/moderation/lists", {{"name", "Theirs"}, {"data", list}});
    w.run_jobs();
    note();
    cursor = dataset + "/changes?since=0";
    read();
    EXPECT_THAT(understood(), testing::SizeIs(450));
    EXPECT_THAT(cursor, Not(HasSubstr("since=0")));
}

TEST_P(PublishedRules, are_shown_to_whom_the_settings_name) {
    block("a.example", "suspend", {{"public_comment", "Unkind"}});
    for (auto path : {"", "/snapshot", "/changes", "/changes?since=0"}) {
        show_to("disabled");
        EXPECT_EQ(alice.get(dataset + path).status, 404) << path;
        show_to("users");
        EXPECT_EQ(nobody.get(dataset + path).status, 404) << path;
        EXPECT_EQ(alice.get(dataset + path).status, 200) << path;
    }
    EXPECT_EQ(nobody.get("/fires/datasets")["totalItems"], "0");
    EXPECT_EQ(alice.get("/fires/datasets")["totalItems"], "1");
    note();
    show_to("users", "show_domain_blocks_rationale");
    EXPECT_THAT(alice.get(dataset + "/snapshot").body, HasSubstr("Unkind"));
    show_to("all");
    EXPECT_THAT(nobody.get(dataset + "/snapshot").body, HasSubstr("a.example"));
    EXPECT_THAT(nobody.get(dataset + "/snapshot").body, Not(HasSubstr("Unkind")));
    const auto id = nobody.get(dataset + "/snapshot")["orderedItems.0.id"];
    EXPECT_EQ(nobody.get(path_of(id))["entityKey"], "a.example");
    EXPECT_EQ(nobody.get(dataset + "/changes/1").status, 404);
}

}  // namespace
