// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels in the hands of staff: who may do what, what is refused, and what the log says.
#include "social/federation/remote.hpp"
#include "social/labels/label.hpp"
#include "social/labels/use.hpp"
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

#include <map>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::IsSupersetOf, testing::SizeIs;
namespace permission = accounts::permission;

struct StaffLabels : OnEachWorld {
    Person olga = staff(w, "olga", accounts::owner), bob = w.local("bob");
    const std::string path = "/api/dunlin/v1/moderation/labels";
    std::string id = olga.post(path, {{"name", "spam"}}).id();

    std::map<std::int64_t, Person> known;

    Person who(std::int64_t permissions) {
        if (!known.contains(permissions))
            known[permissions] = staff(w, "p" + std::to_string(permissions), role_with(w, permissions));
        return known[permissions];
    }
};
ON_EACH_DATABASE(StaffLabels);

TEST_P(StaffLabels, are_made_changed_and_deleted_by_who_may_manage_taxonomies) {
    auto may = who(permission::manage_taxonomies), reads = who(permission::manage_users);
    auto made = may.post(path, {{"name", " satire "}, {"title", "Meant as a joke"}, {"effect", "warn"}});
    EXPECT_EQ(made["name"], "satire");
    EXPECT_EQ(made["effect"], "warn");
    auto one = path + "/" + made.id();
    EXPECT_EQ(may.put(one, {{"effect", "hide"}})["title"], "Meant as a joke");
    EXPECT_EQ(may.put(one, {{"title", "Satire"}})["effect"], "hide");
    EXPECT_EQ(reads.get(one)["title"], "Satire");
    EXPECT_THAT(reads.get(path).all("name"), ElementsAre("satire", "spam"));
    EXPECT_EQ(reads.post(path, {{"name", "x"}}).status, 403);
    EXPECT_EQ(reads.put(one, {{"effect", "none"}}).status, 403);
    EXPECT_EQ(reads.del(one).status, 403);
    EXPECT_EQ(who(permission::manage_blocks).get(path).status, 403);
    EXPECT_EQ(bob.get(path).status, 403);
    EXPECT_EQ(may.del(one).status, 200);
    EXPECT_EQ(may.get(one).status, 404);
    EXPECT_EQ(may.del(one).status, 404);
    EXPECT_THAT(logged(w, olga), IsSupersetOf({"create Label", "update Label", "destroy Label"}));
}

TEST_P(StaffLabels, are_refused_with_what_is_wrong) {
    auto wrong = [&](const Fields& fields) { return olga.post(path, fields).error(); };
    EXPECT_THAT(wrong({}), HasSubstr("Name can't be blank"));
    EXPECT_THAT(wrong({{"name", "spam"}}), HasSubstr("already been taken"));
    EXPECT_THAT(wrong({{"name", std::string(51, 'x')}}), HasSubstr("Name is too long (maximum is 50"));
    EXPECT_THAT(wrong({{"name", "x"}, {"title", std::string(101, 'x')}}), HasSubstr("Title is too long"));
    EXPECT_EQ(olga.post(path, {{"name", "x"}, {"effect", "burn"}}).status, 422);
    EXPECT_EQ(olga.put(path + "/" + id, {{"title", " "}}).status, 422);
    for (int i = 1; i < labels::most_labels; ++i)
        w.write([&](db::Write& db) { labels::create(db, {"l" + std::to_string(i), {}, {}}); });
    EXPECT_THAT(wrong({{"name", "one more"}}), HasSubstr("too many labels"));
    EXPECT_THAT(olga.get(path).ids(), SizeIs(labels::most_labels));
}

TEST_P(StaffLabels, are_put_on_by_who_may_act_on_what_bears_them) {
    auto status = bob.status("hello");
    auto uses = path + "/" + id + "/uses";
    struct Kind {
        std::string name, value;
        std::int64_t permissions;
        std::string target;
    };
    const std::vector<Kind> kinds{
        {"account_id", bob.id, permission::manage_users, "Account"},
        {"status_id", status, permission::manage_reports, "Status"},
        {"domain", "far.example", permission::manage_federation, "Instance"},
    };
    for (const auto& kind : kinds) {
        auto may = who(kind.permissions);
        for (const auto& other : kinds) {
            const Fields form{{other.name, other.value}};
            const bool allowed = other.permissions == kind.permissions ||
                                 (other.name == "status_id" && kind.name == "account_id");
            EXPECT_EQ(may.post(uses, form).status, allowed ? 200 : 403) << kind.name << " " << other.name;
            EXPECT_EQ(may.del(uses, form).status, allowed ? 200 : 403) << kind.name << " " << other.name;
        }
        EXPECT_THAT(
            logged(w, olga), IsSupersetOf({"put_label " + kind.target, "remove_label " + kind.target})
        );
    }
    auto taxonomist = who(permission::manage_taxonomies);
    EXPECT_EQ(taxonomist.post(uses, {{"account_id", bob.id}}).status, 403);
    EXPECT_EQ(who(permission::manage_users).post(uses, {{"account_id", olga.id}}).status, 403)
        << "nobody labels who stands above them";
}

TEST_P(StaffLabels, are_listed_by_what_bears_them_and_the_other_way_round) {
    auto uses = path + "/" + id + "/uses";
    auto boost = olga.reblogs(bob.status("hello"));
    auto original = olga.get("/api/v1/statuses/" + boost)["reblog.id"];
    olga.post(uses, {{"account_id", bob.id}}), olga.post(uses, {{"status_id", boost}});
    olga.post(uses, {{"domain", "Far.Example"}}), olga.post(uses, {{"domain", "far.example"}});
    auto listed = olga.get(uses);
    EXPECT_THAT(listed.all("domain"), ElementsAre("far.example", "null", "null"));
    EXPECT_EQ(listed["1.status_id"], original) << "of a boost, what it shows";
    EXPECT_EQ(listed["2.account_id"], bob.id);
    EXPECT_EQ(listed["2.source"], "staff");
    EXPECT_EQ(listed["2.source_id"], olga.id);
    auto first = olga.get(uses, {{"limit", "2"}});
    EXPECT_THAT(first.ids(), SizeIs(2));
    EXPECT_THAT(olga.get(first.link("next")).all("account_id"), ElementsAre(bob.id));
    EXPECT_THAT(olga.get(path, {{"account_id", bob.id}}).all("name"), ElementsAre("spam"));
    EXPECT_THAT(olga.get(path, {{"account_id", olga.id}}).all("name"), IsEmpty());
    EXPECT_THAT(olga.get(path, {{"domain", "FAR.example"}}).all("name"), ElementsAre("spam"));
    EXPECT_THAT(olga.get(path, {{"status_id", original}}).all("name"), ElementsAre("spam"));
}

TEST_P(StaffLabels, are_put_on_nothing_that_is_not_there) {
    auto uses = path + "/" + id + "/uses";
    auto put = [&](const Fields& fields) { return olga.post(uses, fields).status; };
    EXPECT_EQ(put({{"account_id", "1"}}), 404);
    EXPECT_EQ(put({{"status_id", "1"}}), 404);
    EXPECT_EQ(put({{"domain", "no domain"}}), 422);
    EXPECT_EQ(put({{"domain", w.site().domain}}), 422);
    EXPECT_EQ(put({}), 422);
    EXPECT_EQ(put({{"account_id", bob.id}, {"domain", "far.example"}}), 422);
    EXPECT_EQ(olga.post(path + "/1/uses", {{"account_id", bob.id}}).status, 404);
    EXPECT_EQ(olga.get(path + "/1/uses").status, 404);
    EXPECT_EQ(olga.del(uses, {{"account_id", bob.id}}).status, 404);
    EXPECT_THAT(olga.get(uses).ids(), IsEmpty());
    for (int i = 0; i < labels::most_on_one; ++i) {
        auto more =
            w.write([&](db::Write& db) { return labels::create(db, {"l" + std::to_string(i), {}, {}}); });
        EXPECT_EQ(
            olga.post(path + "/" + remote::text({more.value}) + "/uses", {{"account_id", bob.id}}).status, 200
        );
    }
    EXPECT_EQ(put({{"account_id", bob.id}}), 422) << "so many on one";
}

}  // namespace
