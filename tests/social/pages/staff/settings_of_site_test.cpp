// SPDX-License-Identifier: AGPL-3.0-or-later
// What the site is, changed by the team on a page without JavaScript.
#include "social/pages/staff/stage.hpp"

#include "social/instance/settings.hpp"
#include "social/moderation/site/site_acts.hpp"

#include <gmock/gmock.h>

namespace {

using namespace staff_test;
using instance::SettingKind, instance::SiteSetting;
using testing::ElementsAre, testing::IsEmpty, testing::SizeIs;

struct SettingsOfSite : StaffStage {
    SettingsOfSite() {
        std::vector<SiteSetting> options{
            {"title", SettingKind::text, "Dunlin"},
            {"registrations", SettingKind::choice, "open", {"open", "approval", "closed"}},
            {"max_characters", SettingKind::number, "5000", {}, 1, 100'000},
            {"restricted", SettingKind::yes_or_no, "false"},
            {"language", SettingKind::text, "de", {}, 0, 0, "dunlin.toml:3"},
        };
        for (auto& one : options) one.option = true;
        instance::use_options(std::move(options));
    }
    ~SettingsOfSite() override { instance::use_options({}); }

    http::Response save(Browser& who, const Fields& changed) {
        Fields all{{"title", "Dunlin"}, {"registrations", "open"}, {"max_characters", "5000"}};
        for (const auto& [name, value] : changed) {
            std::erase_if(all, [&](const auto& one) { return one.first == name; });
            all.emplace_back(name, value);
        }
        return send(who, path, all);
    }
    std::string stored(const std::string& name) {
        return read([&](db::Read& db) { return instance::value_of(db, instance::site_setting(name)); });
    }
    std::vector<instance::SettingChange> changes() {
        return read([](db::Read& db) { return instance::setting_changes(db, base::Range{}); });
    }
    std::vector<std::string> told() {
        std::vector<std::string> out;
        for (const auto& one : changes())
            out.push_back(
                one.name + " " + one.before_value.value_or("-") + " > " + one.after_value.value_or("-")
            );
        return out;
    }
    std::string path = desk + "/settings";
};
ON_EACH_DATABASE(SettingsOfSite);

TEST_P(SettingsOfSite, are_changed_and_only_what_differs_is_kept_as_a_change) {
    auto who = member("mona", permission::manage_settings);
    EXPECT_EQ(
        header(save(*who, {{"title", "Birds <3"}, {"restricted", "1"}}), "Location"), path + "?done=saved"
    );
    EXPECT_THAT(told(), ElementsAre("restricted - > true", "title - > Birds <3"));
    EXPECT_EQ(stored("title"), "Birds <3");
    const auto page = who->get(path);
    EXPECT_TRUE(has(page, "Birds &lt;3"));
    EXPECT_TRUE(has(page, "@mona"));
    save(*who, {{"title", "Birds <3"}, {"restricted", "1"}});
    EXPECT_THAT(changes(), SizeIs(2)) << "nothing was changed";
    EXPECT_EQ(logged(), (std::vector<std::string>{"update Setting", "update Setting"}));
}

TEST_P(SettingsOfSite, are_all_refused_where_one_cannot_be) {
    auto who = member("mona", permission::manage_settings);
    for (const auto& wrong :
         {std::pair("title", " "),
          {"title", ""},
          {"registrations", "ajar"},
          {"max_characters", "0"},
          {"max_characters", "100001"},
          {"max_characters", "many"},
          {"max_characters", ""}}) {
        const auto answer = save(*who, {{"restricted", "1"}, wrong});
        EXPECT_EQ(answer.status, 422) << wrong.first << "=" << wrong.second;
    }
    EXPECT_EQ(save(*who, {{"title", std::string(2001, 'x')}}).status, 422);
    EXPECT_THAT(changes(), IsEmpty());
    EXPECT_THAT(logged(), IsEmpty());
}

TEST_P(SettingsOfSite, stay_as_the_configuration_has_them) {
    auto who = member("mona", permission::manage_settings);
    const auto page = who->get(path);
    EXPECT_TRUE(has(page, "dunlin.toml:3"));
    EXPECT_FALSE(has(page, "name=\"language\""));
    save(*who, {{"language", "fr"}});
    EXPECT_EQ(stored("language"), "de");
    EXPECT_THAT(changes(), IsEmpty());
    EXPECT_THROW(
        write([](db::Write& db) {
            moderation::change_settings(db, accounts::the_operator(), {{"language", "fr"}});
        }),
        base::Invalid
    );
    // What was stored before somebody wrote it into the file.
    write([](db::Write& db) { instance::set_setting(db, "option_language", "ja"); });
    EXPECT_EQ(stored("language"), "de");
}

TEST_P(SettingsOfSite, are_taken_back_one_change_at_a_time_and_only_the_last_one) {
    auto who = member("mona", permission::manage_settings);
    save(*who, {{"title", "One"}});
    save(*who, {{"title", "Two"}});
    const auto all = changes();
    ASSERT_THAT(all, SizeIs(2));
    auto undo = [&](const instance::SettingChange& one) {
        return send(*who, path + "/" + std::to_string(one.id.value) + "/undo");
    };
    EXPECT_EQ(undo(all[1]).status, 422) << "it was changed again since";
    EXPECT_EQ(stored("title"), "Two");
    EXPECT_EQ(header(undo(all[0]), "Location"), path + "?done=undone");
    EXPECT_EQ(stored("title"), "One");
    EXPECT_EQ(undo(all[0]).status, 422) << "once";
    EXPECT_EQ(header(undo(changes()[0]), "Location"), path + "?done=undone");
    EXPECT_EQ(stored("title"), "Two") << "again";
    EXPECT_THAT(
        told(), ElementsAre("title One > Two", "title Two > One", "title One > Two", "title - > One")
    );
    EXPECT_EQ(send(*who, path + "/1/undo").status, 404);
}

TEST_P(SettingsOfSite, go_back_to_what_is_configured) {
    auto who = member("mona", permission::manage_settings);
    save(*who, {{"registrations", "closed"}});
    EXPECT_EQ(stored("registrations"), "closed");
    send(*who, path + "/" + std::to_string(changes()[0].id.value) + "/undo");
    EXPECT_EQ(stored("registrations"), "open");
    EXPECT_THAT(told(), ElementsAre("registrations closed > -", "registrations - > closed"));
    EXPECT_TRUE(has(who->get(path), "As configured"));
}

TEST_P(SettingsOfSite, are_told_from_options_that_the_switches_of_before_are) {
    const auto before = read(instance::version_of_options);
    auto who = member("mona", permission::manage_settings);
    send(*who, desk + "/site", {{"trends", "1"}, {"directory", "1"}, {"hidden", "1"}});
    EXPECT_THAT(told(), ElementsAre("noindex - > true"));
    EXPECT_EQ(read(instance::version_of_options), before) << "nobody needs to read all options again";
    save(*who, {{"title", "Birds"}});
    EXPECT_NE(read(instance::version_of_options), before);
    EXPECT_THAT(read(instance::stored_options).values, ElementsAre(std::pair("title", "Birds")));
}

TEST_P(SettingsOfSite, are_for_who_may_alone) {
    auto who = member("mona", permission::manage_reports);
    EXPECT_EQ(who->get(path).status, 403);
    EXPECT_EQ(save(*who, {{"title", "Mine"}}).status, 403);
    Browser stranger(*this);
    EXPECT_NE(stranger.get(path).status, 200);
    EXPECT_THAT(changes(), IsEmpty());
}

TEST_P(SettingsOfSite, list_their_changes_page_after_page) {
    auto who = member("mona", permission::manage_settings);
    for (int i = 0; i < 25; ++i) save(*who, {{"title", "Name " + std::to_string(i)}});
    const auto page = who->get(path);
    EXPECT_TRUE(has(page, "Name 24"));
    EXPECT_FALSE(has(page, "Name 3<"));
    EXPECT_TRUE(has(page, "max_id="));
}

}  // namespace
