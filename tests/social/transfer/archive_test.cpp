// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/archive.hpp"

#include "base/json_read.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/remote.hpp"
#include "social/transfer/zipped.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not, testing::StartsWith;
using transfer::Archive, transfer::ArchiveState;
namespace fs = std::filesystem;

struct Archives : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");
    zipped::Folder folder;
    media::Store store{folder.path};

    jobs::Sessions sessions() { return zipped::sessions(w); }
    transfer::ArchiveId ask() {
        return w.write([&](db::Write& db) { return transfer::ask_for_archive(db, remote::number(alice)); });
    }
    std::string refused() {
        try {
            ask();
        } catch (const base::Invalid& e) {
            return e.what();
        }
        return "";
    }
    bool make(bool ending = false) {
        return !transfer::make_next_archive(sessions(), store, [ending] { return ending; });
    }
    std::vector<Archive> all() {
        return w.read([&](db::Read& db) { return transfer::archives_of(db, remote::number(alice)); });
    }
    // Of the newest.
    fs::path file() { return folder.path / transfer::file_of(all().at(0)); }
    zipped::Files made() {
        auto to = folder.path / "alice.zip";
        transfer::make_archive(sessions(), {remote::number(alice), store, to, [](auto) { return true; }});
        return zipped::read(to);
    }
};
ON_EACH_DATABASE(Archives);

TEST_P(Archives, hold_what_mastodons_hold) {
    auto first = alice.status("Hello #world", {{"language", "en"}});
    auto hidden = alice.status("only here", {{"local_only", "true"}});
    auto secret = alice.status("for friends", {{"visibility", "private"}, {"spoiler_text", "careful"}});
    auto bobs = bob.status("something of Bob's");
    alice.reblogs(bobs);
    alice.favourites(bobs);
    alice.post("/api/v1/statuses/" + bobs + "/bookmark");
    alice.follows(bob);
    alice.post(
        "/api/v2/filters",
        {{"title", "No ads"}, {"context[]", "home"}, {"keywords_attributes[][keyword]", "buy"}}
    );
    auto files = made();
    EXPECT_THAT(
        files.names(),
        testing::UnorderedElementsAre(
            "actor.json",
            "outbox.json",
            "likes.json",
            "bookmarks.json",
            "filters.json",
            "following_accounts.csv",
            "lists.csv",
            "muted_accounts.csv",
            "blocked_accounts.csv",
            "blocked_domains.csv",
            "bookmarks.csv"
        )
    );
    EXPECT_EQ(files("actor.json", "preferredUsername"), "alice");
    EXPECT_EQ(files("actor.json", "outbox"), "outbox.json");
    EXPECT_EQ(files("outbox.json", "totalItems"), "4");
    EXPECT_EQ(files("outbox.json", "orderedItems.0.type"), "Create");
    EXPECT_EQ(files("outbox.json", "orderedItems.0.object.source.content"), "Hello #world");
    EXPECT_EQ(files("outbox.json", "orderedItems.0.object.localOnly"), "absent");
    EXPECT_EQ(files("outbox.json", "orderedItems.1.object.localOnly"), "true");
    EXPECT_EQ(files("outbox.json", "orderedItems.2.object.summary"), "careful");
    EXPECT_EQ(files("outbox.json", "orderedItems.3.type"), "Announce");
    auto uri = bob.get("/api/v1/statuses/" + bobs)["uri"];
    EXPECT_EQ(files("outbox.json", "orderedItems.3.object"), uri);
    EXPECT_EQ(files("likes.json", "orderedItems.0"), uri);
    EXPECT_EQ(files("bookmarks.json", "orderedItems.0"), uri);
    EXPECT_EQ(files("filters.json", "custom_filters.0.title"), "No ads");
    EXPECT_EQ(files("filters.json", "custom_filters.0.keywords_attributes.0.keyword"), "buy");
    EXPECT_THAT(files["following_accounts.csv"], HasSubstr("bob@" + w.site().domain + ",true,false,"));
}

TEST_P(Archives, take_the_files_along_that_posts_show) {
    auto media = zipped::picture(w, alice, folder.path, "a picture");
    alice.status("look", {{"media_ids[]", media}});
    auto gone = zipped::picture(w, alice, folder.path, "lost");
    alice.status("and here", {{"media_ids[]", gone}});
    fs::remove(folder.path / zipped::file_of(w, gone));
    auto files = made();
    const auto name = files("outbox.json", "orderedItems.0.object.attachment.0.url");
    EXPECT_THAT(name, StartsWith("media_attachments/files/media/"));
    EXPECT_EQ(files[name], "a picture");
    EXPECT_THAT(files("outbox.json", "orderedItems.1.object.attachment.0.url"), StartsWith("http"));
}

TEST_P(Archives, come_in_pages_whatever_there_is) {
    for (int i = 0; i < 250; ++i) alice.status("number " + std::to_string(i));
    auto files = made();
    EXPECT_EQ(files("outbox.json", "totalItems"), "250");
    EXPECT_EQ(files("outbox.json", "orderedItems.249.object.source.content"), "number 249");
}

const db::Command mark_as_brought{
    "test_mark_as_brought",
    R"(INSERT INTO imported_posts (status_id, account_id, import_id, uri, here_only)
       VALUES ($1, $2, 1, 'https://elsewhere.example/1', FALSE))"
};

TEST_P(Archives, can_hold_only_what_came_after_a_post_and_what_was_brought_along) {
    alice.status("before");
    const auto brought = alice.status("brought along");
    w.write([&](db::Write& db) {
        db.run(mark_as_brought, std::int64_t{std::stoll(brought)}, remote::number(alice));
    });
    const auto last = alice.status("the last before");
    alice.status("after");
    const auto to = folder.path / "since.zip";
    transfer::make_archive(
        sessions(),
        {remote::number(alice), store, to, [](auto) { return true; }, base::StatusId{std::stoll(last)}}
    );
    auto files = zipped::read(to);
    EXPECT_EQ(files("outbox.json", "totalItems"), "2");
    EXPECT_EQ(files("outbox.json", "orderedItems.0.object.source.content"), "brought along");
    EXPECT_EQ(files("outbox.json", "orderedItems.1.object.source.content"), "after");
}

TEST_P(Archives, are_made_once_a_day_one_at_a_time_and_kept_for_a_week) {
    alice.status("one");
    auto id = ask();
    EXPECT_EQ(refused(), "Your archive is being made already");
    ASSERT_TRUE(make());
    EXPECT_FALSE(make());
    ASSERT_EQ(all().size(), 1u);
    EXPECT_EQ(all()[0].state, ArchiveState::ready);
    EXPECT_EQ(all()[0].done, 1);
    EXPECT_EQ(all()[0].bytes, static_cast<std::int64_t>(fs::file_size(file())));
    EXPECT_EQ(refused(), "An archive can be made once a day");
    const auto first = transfer::file_of(all()[0]);
    EXPECT_THAT(first, StartsWith(".archives/" + std::to_string(id.value) + "-"));
    EXPECT_GT(first.size(), 60u);  // with a part that nobody guesses
    w.advance(86'401);
    EXPECT_EQ(refused(), "");
    w.advance(6 * 86'400 + 1);
    w.events();
    w.write(transfer::purge_archives);
    EXPECT_THAT(w.events(), ElementsAre(HasSubstr(first)));
    EXPECT_EQ(all().size(), 1u);  // the one that waits
}

TEST_P(Archives, begin_anew_where_a_server_stopped) {
    alice.status("one");
    ask();
    ASSERT_TRUE(make(true));
    EXPECT_FALSE(fs::exists(file()));
    EXPECT_EQ(all()[0].state, ArchiveState::waiting);
    EXPECT_EQ(all()[0].attempts, 0);
    ASSERT_TRUE(make());
    EXPECT_EQ(all()[0].state, ArchiveState::ready);
    EXPECT_THAT(fs::is_empty(folder.path / ".work"), true);
}

TEST_P(Archives, go_with_their_owner_also_while_they_are_made) {
    alice.status("one");
    ask();
    const auto gone = file();
    w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(alice)); });
    EXPECT_THAT(all(), IsEmpty());
    EXPECT_FALSE(make());
    EXPECT_FALSE(fs::exists(gone));
}

TEST_P(Archives, are_nobody_elses) {
    auto id = ask();
    auto found = [&](const Person& who) {
        return w.read([&](db::Read& db) { return transfer::archive_of(db, remote::number(who), id); });
    };
    EXPECT_THROW(found(alice), base::NotFound);  // not ready
    make();
    EXPECT_EQ(found(alice).id, id);
    EXPECT_THROW(found(bob), base::NotFound);
}

}  // namespace
