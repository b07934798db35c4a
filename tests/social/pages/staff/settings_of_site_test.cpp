// SPDX-License-Identifier: AGPL-3.0-or-later
// What the site is, changed by the team on a page without JavaScript.
#include "social/pages/staff/stage.hpp"

#include "server/site_settings.hpp"
#include "social/instance/registrations.hpp"
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

TEST_P(SettingsOfSite, are_not_set_back_by_a_page_that_was_open_meanwhile) {
    auto who = member("mona", permission::manage_settings),
         other = member("otto", permission::manage_settings);
    const auto version = [&] { return std::to_string(read(instance::version_of_options)); };
    EXPECT_TRUE(has(who->get(path), "name=\"version\" value=\"" + version() + "\""));
    const auto seen = version();
    EXPECT_EQ(save(*other, {{"max_characters", "700"}, {"version", seen}}).status, 302);
    const auto late = save(*who, {{"title", "Mine"}, {"version", seen}});
    EXPECT_EQ(late.status, 422);
    EXPECT_TRUE(has(late, "Somebody else has changed these settings meanwhile"));
    EXPECT_TRUE(has(late, "Mine")) << "what was typed is not lost";
    EXPECT_THAT(told(), ElementsAre("max_characters - > 700"));
    save(*who, {{"title", "Mine"}, {"max_characters", "700"}, {"version", version()}});
    EXPECT_EQ(stored("title"), "Mine");
    EXPECT_EQ(stored("max_characters"), "700");
}

TEST_P(SettingsOfSite, grow_a_version_by_each_change) {
    auto who = member("mona", permission::manage_settings);
    std::int64_t before = read(instance::version_of_options);
    for (auto title : {"One", "Two", "Three"}) {
        save(*who, {{"title", title}});
        const auto now = read(instance::version_of_options);
        EXPECT_GT(now, before);
        before = now;
    }
}

TEST_P(SettingsOfSite, open_the_door_also_where_sign_ups_wait_as_nobody_was_there) {
    auto who = member("mona", permission::manage_settings);
    auto waits = [&] { return read(instance::approval_required); };
    auto require = [&] { write([](db::Write& db) { instance::require_approval(db, true); }); };
    require();
    EXPECT_TRUE(has(who->get(path), "value=\"approval\" selected"));
    save(*who, {{"title", "Birds"}, {"registrations", "approval"}});
    EXPECT_TRUE(waits()) << "another change leaves that as it is";
    EXPECT_THAT(told(), ElementsAre("title - > Birds"));
    save(*who, {{"title", "Birds"}});
    EXPECT_FALSE(waits());
    EXPECT_EQ(logged(), (std::vector<std::string>{"update Setting", "update Setting"}));
    require();
    write([](db::Write& db) {
        moderation::change_settings(db, accounts::the_operator(), {{"registrations", "open"}});
    });
    EXPECT_FALSE(waits()) << "it is open by the setting, and was not in truth";
}

TEST_P(SettingsOfSite, of_all_that_the_program_has_are_on_the_page) {
    instance::use_options(server::site_settings_of(server::Config{}));
    auto who = member("mona", permission::manage_settings);
    const auto page = who->get(path);
    for (const auto& one : instance::site_settings())
        if (one.option) EXPECT_TRUE(has(page, "name=\"" + one.name + "\"")) << one.name;
    for (auto without : {"\"></label>", "<span></span></label>"})
        EXPECT_FALSE(has(page, without)) << "a label";
}

TEST_P(SettingsOfSite, name_servers_in_whichever_way_a_list_is_typed) {
    instance::use_options(server::site_settings_of(server::Config{}));
    auto allow = [&](const std::string& list) {
        write([&](db::Write& db) {
            moderation::change_settings(db, accounts::the_operator(), {{"allowed_servers", list}});
        });
        return server::with_stored(server::Config{}, read(instance::stored_options)).allowed_servers;
    };
    for (const std::string list :
         {"a.example\r\nb.example", "a.example\nb.example\n", "a.example, b.example", " a.example\tb.example"
         })
        EXPECT_THAT(allow(list), ElementsAre("a.example", "b.example")) << list;
    EXPECT_THAT(allow("Müller.example"), ElementsAre("Müller.example"));
    for (const std::string wrong :
         {"a.example;b.example", "https://a.example", "a.example/b", "*.example", "-"})
        EXPECT_THROW(allow("c.example " + wrong), base::Invalid) << wrong;
    EXPECT_THAT(allow(""), IsEmpty());
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
