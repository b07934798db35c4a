// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/staff.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
namespace permission = accounts::permission;

const std::string roles = "/api/dunlin/v1/moderation/roles";

struct Roles : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner), admin = staff(w, "adam", accounts::admin),
           moderator = staff(w, "mona", accounts::moderator), alice = w.local("alice");

    std::string mine(const Person& who) {
        return who.get("/api/v1/accounts/verify_credentials")["role.permissions"];
    }
};
ON_EACH_DATABASE(Roles);

TEST_P(Roles, show_what_they_allow_in_the_end) {
    EXPECT_EQ(mine(owner), "8388607");
    EXPECT_EQ(mine(moderator), "1115420");
    EXPECT_EQ(mine(admin), std::to_string(2'031'612 | 65'536));
    EXPECT_EQ(mine(alice), "65536");
    EXPECT_THAT(owner.get(roles).all("name"), ElementsAre("Owner", "Admin", "Moderator", ""));
}

TEST_P(Roles, are_made_changed_and_given_and_written_down) {
    auto made =
        owner.post(roles, {{"name", "Helper"}, {"permissions", "16"}, {"position", "5"}, {"color", "#abc"}});
    ASSERT_EQ(made.status, 200) << made.body;
    EXPECT_EQ(made["permission_names"], R"(["manage_reports"])");
    EXPECT_EQ(
        owner.put(
                 "/api/dunlin/v1/moderation/accounts/" + alice.id + "/role", {{"role_id", made.id()}}
        ).status,
        200
    );
    EXPECT_EQ(mine(alice), std::to_string(65'536 | 16));
    EXPECT_EQ(owner.put(roles + "/" + made.id(), {{"permissions", "1040"}})["permissions"], "1040");
    EXPECT_EQ(mine(alice), std::to_string(65'536 | 1040));
    EXPECT_EQ(owner.del(roles + "/" + made.id()).status, 200);
    EXPECT_EQ(mine(alice), "65536");
    EXPECT_THAT(
        logged(w, owner),
        ElementsAre("create UserRole", "change_role User", "update UserRole", "destroy UserRole")
    );
}

TEST_P(Roles, may_require_a_second_factor) {
    EXPECT_EQ(owner.get(roles + "/2")["require_2fa"], "false");
    EXPECT_EQ(owner.put(roles + "/1", {{"require_2fa", "true"}})["require_2fa"], "true");
    EXPECT_EQ(moderator.get("/api/v1/accounts/verify_credentials").status, 403);
    EXPECT_EQ(admin.put(roles + "/2", {{"require_2fa", "true"}}).status, 403)
        << "of one's own, administrators only";
    EXPECT_EQ(admin.put(roles + "/1", {{"require_2fa", "false"}}).status, 200);
    EXPECT_EQ(moderator.get("/api/v1/accounts/verify_credentials").status, 200);
}

TEST_P(Roles, give_nothing_that_the_giver_lacks) {
    auto refused = [&](const Fields& fields) { return admin.post(roles, fields).status; };
    EXPECT_EQ(refused({{"name", "A"}, {"permissions", "1"}, {"position", "5"}}), 422);
    EXPECT_EQ(refused({{"name", "A"}, {"permissions", "2"}, {"position", "5"}}), 422);
    EXPECT_EQ(refused({{"name", "A"}, {"permissions", "16"}, {"position", "101"}}), 422);
    EXPECT_EQ(refused({{"name", ""}, {"permissions", "16"}, {"position", "5"}}), 422);
    EXPECT_EQ(refused({{"name", "A"}, {"color", "red"}}), 422);
    EXPECT_EQ(refused({{"name", "A"}, {"permissions", "8388608"}}), 422);
    EXPECT_EQ(refused({{"name", "A"}, {"collection_limit", "-1"}}), 422);
    EXPECT_EQ(moderator.post(roles, {{"name", "A"}}).status, 403);
    EXPECT_EQ(w.changed(), "");
}

TEST_P(Roles, that_stand_as_high_are_out_of_reach) {
    EXPECT_EQ(admin.put(roles + "/3", {{"name", "Serf"}}).status, 403);
    EXPECT_EQ(admin.del(roles + "/3").status, 403);
    EXPECT_EQ(admin.del(roles + "/2").status, 403);  // one's own
    EXPECT_EQ(admin.put(roles + "/2", {{"permissions", "16"}}).status, 422);
    EXPECT_EQ(admin.put(roles + "/2", {{"name", "Chief"}})["name"], "Chief");
    EXPECT_EQ(owner.del(roles + "/-99").status, 403);
    auto give = [&](const Person& who, const Person& to, const char* role) {
        return who.put("/api/dunlin/v1/moderation/accounts/" + to.id + "/role", {{"role_id", role}}).status;
    };
    EXPECT_EQ(give(admin, owner, "-99"), 403);
    EXPECT_EQ(give(admin, admin, "1"), 403);
    EXPECT_EQ(give(admin, alice, "3"), 422);
    EXPECT_EQ(give(admin, alice, "1"), 200);
    EXPECT_EQ(give(admin, alice, "77"), 404);
    EXPECT_EQ(mine(owner), "8388607");
}

TEST_P(Roles, of_everybody_give_little) {
    EXPECT_EQ(owner.put(roles + "/-99", {{"permissions", "16"}}).status, 422);
    EXPECT_EQ(owner.put(roles + "/-99", {{"permissions", "0"}, {"position", "7"}})["position"], "-1");
    EXPECT_EQ(mine(alice), "0");
}

}  // namespace
