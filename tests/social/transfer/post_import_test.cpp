// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/post_import.hpp"

#include "sandbox/fixtures.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/remote.hpp"
#include "social/transfer/archive.hpp"
#include "social/transfer/zipped.hpp"

#include <gmock/gmock.h>

namespace {

using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty, testing::Not,
    testing::StartsWith;
using transfer::PostImport, transfer::PostImportState;
namespace fs = std::filesystem;

const std::string everybody = "https://www.w3.org/ns/activitystreams#Public";
// In each test another one: ids are made of addresses, and what was rendered is kept by ids in all sites of a process.
std::string me;

// A post as Mastodon writes it; `more` are further members.
std::string post(
    int number, const std::string& content, const std::string& more = "", const std::string& to = everybody
) {
    const auto id = me + "/statuses/" + std::to_string(number);
    const auto day = (number < 10 ? "0" : "") + std::to_string(number);
    return R"({"id":")" + id + R"(/activity","type":"Create","actor":")" + me + R"(","published":"2019-03-)" +
           day + R"(T10:00:00Z","to":[")" + to + R"("],"cc":[],"object":{"id":")" + id +
           R"(","type":"Note","attributedTo":")" + me + R"(","published":"2019-03-)" + day +
           R"(T10:00:00Z","to":[")" + to + R"("],"cc":[],"content":")" + content + "\"" +
           (more.empty() ? "" : "," + more) + "}}";
}

std::string outbox(const std::vector<std::string>& items) {
    std::string out =
        R"({"@context":"https://www.w3.org/ns/activitystreams","id":"outbox.json","type":"OrderedCollection","totalItems":1,"orderedItems":[)";
    for (const auto& item : items) out += (&item == &items.front() ? "" : ", ") + item;
    return out + "]}";
}

struct PostImports : OnEachWorld {
    PostImports() {
        static int tests = 0;
        me = "https://old" + std::to_string(++tests) + ".example/users/ann";
    }
    Person alice = w.local("alice"), bob = w.local("bob");
    zipped::Folder folder;
    media::Store store{folder.path};

    using Content = std::vector<std::pair<std::string, std::string>>;
    fs::path zip(Content files) {
        files.emplace_back("actor.json", R"({"id":")" + me + R"(","followers":")" + me + R"(/followers"})");
        auto to = folder.path / "came.zip";
        zipped::write(to, files);
        return to;
    }
    PostImport bring(const fs::path& file) { return bring_to(w, alice, file); }
    PostImport bring_to(World& world, const Person& who, const fs::path& file) {
        const auto kept = transfer::keep_archive(store, file);
        EXPECT_EQ(kept.problem, "");
        const auto id = world.write([&](db::Write& db) {
            return transfer::begin_post_import(db, remote::number(who), kept.file);
        });
        const auto sessions = zipped::sessions(world);
        while (!transfer::import_some_posts({sessions, store, [] { return false; }})) {}
        return world.read([&](db::Read& db) { return *transfer::find_post_import(db, id); });
    }
    PostImport bring_all(const std::vector<std::string>& items) {
        return bring(zip({{"outbox.json", outbox(items)}}));
    }
    std::vector<std::string> why(const PostImport& import) {
        std::vector<std::string> out;
        w.read([&](db::Read& db) {
            for (const auto& one : transfer::post_failures(db, import.id, 100)) out.push_back(one.problem);
        });
        return out;
    }
    Answer posts(const Fields& more = {}) {
        return alice.get("/api/v1/accounts/" + alice.id + "/statuses", more);
    }
    std::string refused(const std::string& content) {
        std::ofstream(folder.path / "bad.zip", std::ios::binary) << content;
        return transfer::keep_archive(store, folder.path / "bad.zip").problem;
    }
};
ON_EACH_DATABASE(PostImports);

TEST_P(PostImports, become_posts_with_their_dates_and_nobody_hears_of_them) {
    bob.follows(alice);
    alice.post("/api/v1/featured_tags", {{"name", "spring"}});
    w.run_jobs();
    w.happened();
    w.changed();
    auto done = bring_all({
        post(
            1,
            R"(<p>Hello <a href=\"https://there.example/@bob\" class=\"u-url mention\">@<span>bob</span></a> <script>x</script></p>)",
            R"("summary":"careful","sensitive":true,"contentMap":{"de":"x"},"tag":[{"type":"Hashtag","href":"x","name":"#Spring"}])"
        ),
        post(2, "<p>for friends</p>", "", me + "/followers"),
        post(3, "<p>for one</p>", "", "https://there.example/users/bob"),
        post(4, "<p>my answer</p>", R"("inReplyTo":")" + me + R"(/statuses/1")"),
        post(
            5,
            "<p>an answer</p>",
            R"("inReplyTo":"https://there.example/notes/7","updated":"2019-03-06T10:00:00Z")"
        ),
        R"({"id":"https://old.example/boost","type":"Announce","actor":")" + me +
            R"(","object":"https://there.example/notes/8"})",
    });
    EXPECT_EQ(done.state, PostImportState::ended);
    EXPECT_EQ(done.total, 6);
    EXPECT_EQ(done.done, 6);
    EXPECT_EQ(done.posts, 5);
    EXPECT_EQ(done.failed, 0);
    EXPECT_EQ(
        w.happened(), "BroughtAlong, BroughtAlong, BroughtAlong, BroughtAlong, BroughtAlong, FilesReleased"
    );
    EXPECT_THAT(
        w.changed(),
        AllOf(
            HasSubstr("statuses +5"),
            Not(HasSubstr("home_entries")),
            Not(HasSubstr("deliveries")),
            Not(HasSubstr("notifications")),
            Not(HasSubstr("mentions")),
            Not(HasSubstr("push"))
        )
    );
    w.run_jobs();
    EXPECT_THAT(bob.home(), IsEmpty());
    EXPECT_THAT(bob.get("/api/v1/notifications").ids().size(), 0u);
    auto all = posts();
    EXPECT_THAT(
        all.all("created_at"),
        ElementsAre(
            "2019-03-05T10:00:00.000Z",
            "2019-03-04T10:00:00.000Z",
            "2019-03-03T10:00:00.000Z",
            "2019-03-02T10:00:00.000Z",
            "2019-03-01T10:00:00.000Z"
        )
    );
    EXPECT_THAT(all.all("visibility"), ElementsAre("public", "public", "direct", "private", "public"));
    EXPECT_EQ(all["0.edited_at"], "2019-03-06T10:00:00.000Z");
    EXPECT_THAT(
        all["0.content"],
        AllOf(HasSubstr(R"(href="https://there.example/notes/7")"), HasSubstr("<p>an answer</p>"))
    );
    EXPECT_EQ(all["0.in_reply_to_id"], "null");
    EXPECT_EQ(all["1.in_reply_to_id"], all["4.id"]);
    EXPECT_EQ(all["1.content"], "<p>my answer</p>");
    EXPECT_EQ(all["4.spoiler_text"], "careful");
    EXPECT_EQ(all["4.sensitive"], "true");
    EXPECT_EQ(all["4.local_only"], "true");
    EXPECT_EQ(all["4.tags.0.name"], "spring");
    EXPECT_THAT(all["4.content"], AllOf(HasSubstr("https://there.example/@bob"), Not(HasSubstr("script"))));
    EXPECT_EQ(alice.get("/api/v1/statuses/" + all["3.id"] + "/source")["text"], "for friends");
    EXPECT_EQ(alice.get("/api/v1/featured_tags")["0.last_status_at"], "2019-03-01");
    // All but the one for one person.
    EXPECT_EQ(alice.get("/api/v1/accounts/" + alice.id)["statuses_count"], "4");
}

TEST_P(PostImports, are_seen_here_only_until_they_are_published) {
    auto done = bring_all(
        {post(1, "<p>one</p>"),
         post(2, "<p>two</p>", R"("localOnly":true)"),
         post(3, "<p>three</p>", "", me + "/followers")}
    );
    auto all = posts().ids();
    ASSERT_EQ(all.size(), 3u);
    auto nobody = w.anonymous();
    auto sees = [&](const Person& who, const std::string& id) {
        return who.get("/api/v1/statuses/" + id).status == 200;
    };
    EXPECT_TRUE(sees(bob, all[2]));
    EXPECT_FALSE(sees(bob, all[0]));
    EXPECT_FALSE(sees(nobody, all[2]));
    w.write([&](db::Write& db) { transfer::publish_post_import(db, remote::number(alice), done.id); });
    w.happened();
    w.run_jobs();
    EXPECT_THAT(w.happened(), Not(HasSubstr("Published")));
    EXPECT_TRUE(sees(nobody, all[2]));
    EXPECT_FALSE(sees(nobody, all[1]));
    EXPECT_TRUE(sees(bob, all[1]));
    EXPECT_FALSE(sees(bob, all[0]));
    EXPECT_THAT(nobody.get("/api/v1/accounts/" + alice.id + "/statuses").ids(), ElementsAre(all[2]));
}

TEST_P(PostImports, come_once_however_often_they_are_brought) {
    const std::vector<std::string> items{
        post(1, "<p>one</p>"), post(2, "<p>two</p>"), post(2, "<p>two again</p>")
    };
    EXPECT_EQ(bring_all(items).posts, 2);
    alice.del("/api/v1/statuses/" + posts().ids()[0]);
    auto again = bring_all(items);
    EXPECT_EQ(again.posts, 0);
    EXPECT_EQ(again.done, 3);
    EXPECT_EQ(again.failed, 0);
    EXPECT_EQ(posts().ids().size(), 1u);
}

TEST_P(PostImports, are_taken_back_run_by_run) {
    auto first = bring_all({post(1, "<p>one</p>")});
    std::vector<std::string> many;
    for (int i = 2; i < 29; ++i) many.push_back(post(i, "<p>more</p>"));
    auto second = bring_all(many);
    EXPECT_EQ(second.posts, 27);
    alice.status("today");
    w.write([&](db::Write& db) { transfer::take_back_post_import(db, remote::number(alice), second.id); });
    w.run_jobs();
    EXPECT_THAT(posts().all("content"), ElementsAre("<p>today</p>", "<p>one</p>"));
    auto left = w.read([&](db::Read& db) { return transfer::post_imports_of(db, remote::number(alice)); });
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].id, first.id);
    EXPECT_EQ(bring_all(many).posts, 27);
}

TEST_P(PostImports, say_what_failed_and_why) {
    auto picture = [](const std::string& url) {
        return R"("attachment":[{"type":"Document","mediaType":"image/png","url":")" + url +
               R"(","name":"words"}])";
    };
    auto done = bring(zip({
        {"outbox.json",
         outbox({
             post(1, "<p>good</p>", picture("/media_attachments/files/1/original/a.png")),
             post(2, "<p>gone</p>", picture("media_attachments/files/2.png")),
             post(3, "<p>outside</p>", picture("../../../../etc/passwd")),
             post(4, "<p>text</p>", picture("media_attachments/files/text.png")),
             R"({"type":"Create","object":{"type":"Note","id":"no address"}})",
             "17",
             "\"https://old.example/only/an/address\"",
             post(6, std::string(1'100'000, 'x')),
             post(7, "<p>of another</p>", R"("attributedTo":")" + me + "-and-eve\""),
             post(8, "<p>of another</p>", R"("attributedTo":"https://there.example/users/eve")"),
         })},
        {"media_attachments/files/1/original/a.png", std::string(fixtures::png(64, 48))},
        {"media_attachments/files/text.png", "/etc/passwd"},
    }));
    EXPECT_EQ(done.state, PostImportState::ended);
    EXPECT_EQ(done.posts, 4);
    EXPECT_EQ(done.failed, 9);
    EXPECT_THAT(
        why(done),
        ElementsAre(
            "A file of it is not in the archive",
            "A file of it is not in the archive",
            "A file of it is of a kind that is not taken",
            "It is no post that can be read",
            "It is no post that can be read",
            "It is no post that can be read",
            "It is no post that can be read",
            "It was written by somebody else",
            "It is no post that can be read"
        )
    );
    auto all = posts();
    EXPECT_EQ(all["3.media_attachments.0.description"], "words");
    EXPECT_EQ(all["3.media_attachments.0.meta.original.width"], "64");
    EXPECT_EQ(all["0.media_attachments"], "[]");
}

TEST_P(PostImports, refuse_what_is_no_archive_or_too_much) {
    EXPECT_EQ(refused(""), "The file is no zip archive");
    EXPECT_EQ(refused(std::string(100'000, 'x')), "The file is no zip archive");
    const std::string end("PK\x05\x06\0\0\0\0\1\0\1\0\x2e\0\0\0\0\0\0\0\0\0", 22);
    EXPECT_EQ(refused(end), "The archive is damaged");
    auto many = end;
    many.replace(12, 4, "\xff\xff\xff\x7f", 4);  // a directory of 2 GB
    EXPECT_EQ(refused(many), "The archive holds too many files");
    // 2^40 files, in the wide form.
    std::string wide("PK\x06\x06", 4);
    wide.resize(56);
    wide[29] = wide[37] = 1;
    std::string locator("PK\x06\x07", 4);
    locator.resize(20);
    EXPECT_EQ(refused(wide + locator + end), "The archive holds too many files");
    locator[12] = '\x7f';
    EXPECT_EQ(refused(wide + locator + end), "The archive is damaged");
    zipped::write(folder.path / "other.zip", {{"readme.txt", "x"}});
    EXPECT_EQ(
        transfer::keep_archive(store, folder.path / "other.zip").problem,
        "There is no outbox.json in the archive"
    );

    auto stopped = [&](const std::string& content) {
        auto import = bring(zip({{"outbox.json", content}}));
        EXPECT_EQ(import.state, PostImportState::stopped);
        EXPECT_EQ(import.posts, 0);
        return import.problem;
    };
    std::string too_many = R"({"orderedItems":[{})";
    for (int i = 0; i < 100'000; ++i) too_many += ",{}";
    EXPECT_EQ(stopped(too_many + "]}"), "The archive has more than 100,000 posts");
    for (const std::string bad :
         {"", "[]", R"({"orderedItems":[{"a":"b)", R"({"orderedItems":[{"a":{{{)", "{\"x", "nonsense"})
        EXPECT_EQ(stopped(bad), "The outbox of the archive is damaged") << bad;
    for (const std::string nothing :
         {"{}", R"({"orderedItems":[]})", R"({"orderedItems":{},"x":[1,{"orderedItems":[2]}]})"})
        EXPECT_EQ(bring(zip({{"outbox.json", nothing}})).state, PostImportState::ended) << nothing;
}

TEST_P(PostImports, fill_no_disk_from_a_small_file) {
    const std::string picture =
        R"("attachment":[{"type":"Document","mediaType":"image/png","url":"media_attachments/files/1.png"}])";
    auto import = bring(zip(
        {{"outbox.json", outbox({post(1, "<p>one</p>", picture), post(2, "<p>two</p>", picture)})},
         {"media_attachments/files/1.png", std::string(40 << 20, 'x')}}
    ));
    EXPECT_EQ(import.state, PostImportState::stopped);
    EXPECT_EQ(import.problem, "The archive is damaged");
    EXPECT_EQ(import.posts, 0);
    EXPECT_THAT(posts().ids(), IsEmpty());
    EXPECT_TRUE(fs::is_empty(folder.path / ".work"));
}

TEST_P(PostImports, keep_dates_that_may_be) {
    auto at = [](int number, const std::string& published) {
        auto text = post(number, "<p>x</p>");
        for (std::size_t i = text.find("2019-"); i != text.npos; i = text.find("2019-"))
            text.replace(i, 20, published);
        return text;
    };
    EXPECT_EQ(
        bring_all({at(1, "2999-01-01T00:00:00Z"), at(2, "0001-01-01T00:00:00Z"), at(3, "never")}).posts, 3
    );
    const auto now = w.read([](db::Read& db) { return db.now(); });
    for (const auto& created : posts().all("created_at")) EXPECT_LE(created, base::to_string(now)) << created;
}

TEST_P(PostImports, keep_a_thread_of_one_second_in_its_order) {
    auto text = [](int number) {
        const auto answers =
            number == 1 ? "" : R"("inReplyTo":")" + me + "/statuses/" + std::to_string(number - 1) + "\"";
        auto out = post(number, "<p>" + std::to_string(number) + "</p>", answers);
        for (std::size_t i = out.find("\"2019-03-0"); i != out.npos; i = out.find("\"2019-03-0", i + 1))
            out.replace(i, 15, "\"2018-03-01T12:");
        return out;
    };
    std::vector<std::string> items, wanted;
    for (int i = 1; i < 10; ++i) {
        items.push_back(text(i));
        wanted.insert(wanted.begin(), "<p>" + std::to_string(i) + "</p>");
    }
    bring_all(items);
    EXPECT_THAT(posts().all("content"), testing::ElementsAreArray(wanted));
}

TEST_P(PostImports, go_on_where_a_server_stopped) {
    std::vector<std::string> items;
    for (int i = 1; i < 29; ++i) items.push_back(post(i, "<p>number " + std::to_string(i) + "</p>"));
    const auto kept = transfer::keep_archive(store, zip({{"outbox.json", outbox(items)}}));
    const auto id = w.write([&](db::Write& db) {
        return transfer::begin_post_import(db, remote::number(alice), kept.file);
    });
    const auto sessions = zipped::sessions(w);
    int asked = 0;
    auto ends_soon = [&] { return ++asked > 20; };
    for (int turns = 0; !transfer::import_some_posts({sessions, store, ends_soon}) && turns < 100; ++turns)
        asked = 0;
    auto done = w.read([&](db::Read& db) { return *transfer::find_post_import(db, id); });
    EXPECT_EQ(done.posts, 28);
    EXPECT_EQ(done.done, 28);
    EXPECT_EQ(posts({{"limit", "40"}}).ids().size(), 28u);
}

TEST_P(PostImports, are_one_at_a_time_and_their_owners) {
    const auto kept = transfer::keep_archive(store, zip({{"outbox.json", outbox({post(1, "x")})}}));
    auto begin = [&] {
        return w.write([&](db::Write& db) {
            return transfer::begin_post_import(db, remote::number(alice), kept.file);
        });
    };
    auto id = begin();
    EXPECT_THROW(begin(), base::Invalid);
    EXPECT_THROW(
        w.write([&](db::Write& db) { transfer::stop_post_import(db, remote::number(bob), id); }),
        base::NotFound
    );
    EXPECT_THROW(
        w.write([&](db::Write& db) { transfer::publish_post_import(db, remote::number(alice), id); }),
        base::Invalid
    );
    w.write([&](db::Write& db) { transfer::stop_post_import(db, remote::number(alice), id); });
    const auto sessions = zipped::sessions(w);
    EXPECT_TRUE(transfer::import_some_posts({sessions, store, [] { return false; }}).has_value());
    EXPECT_THAT(posts().ids(), IsEmpty());
}

TEST_P(PostImports, are_taken_over_from_who_is_gone_alone) {
    const auto kept = transfer::keep_archive(store, zip({{"outbox.json", outbox({post(1, "x")})}}));
    const auto id = w.write([&](db::Write& db) {
        return transfer::begin_post_import(db, remote::number(alice), kept.file, true);
    });
    auto running = [&](const Person& who) {
        return w.read([&](db::Read& db) { return transfer::running_post_import(db, remote::number(who)); });
    };
    auto take_over = [&] {
        return w.write([&](db::Write& db) { return transfer::take_over_post_import(db, id); });
    };
    ASSERT_TRUE(running(alice));
    EXPECT_EQ(running(alice)->id, id);
    EXPECT_FALSE(running(bob));
    EXPECT_FALSE(take_over());
    w.advance(121);
    EXPECT_TRUE(take_over());
    EXPECT_FALSE(take_over());
    const auto sessions = zipped::sessions(w);
    while (transfer::import_some_posts_of({sessions, store, [] { return false; }}, id)) {}
    EXPECT_EQ(posts().ids().size(), 1u);
    EXPECT_FALSE(running(alice));
    w.advance(121);
    EXPECT_FALSE(take_over());
}

TEST_P(PostImports, travel_from_site_to_site_and_back) {
    World there(GetParam(), {.site = [](base::Site& site) {
                    site.domain = "there.example";
                    site.public_url = "https://there.example";
                }});
    auto anna = there.local("anna");
    std::ofstream(folder.path / "a.png", std::ios::binary) << fixtures::png(64, 48);
    auto made =
        std::get<media::Stored>(store.process({(folder.path / "a.png").string(), media::Kind::attachment, {}})
        );
    media::Media picture;
    picture.account_id = remote::number(alice);
    picture.file = made.file, picture.preview = made.preview, picture.mime = made.mime;
    picture.width = 64, picture.height = 48;
    picture.description = "a picture";
    auto attached = w.write([&](db::Write& db) { return media::create(db, picture); });
    alice.status("first of #all", {{"language", "en"}, {"media_ids[]", std::to_string(attached.value)}});
    w.advance(2);
    auto second = alice.status(
        "which?", {{"poll[options][]", "this"}, {"poll[options][]", "that"}, {"poll[expires_in]", "600"}}
    );
    bob.post(
        "/api/v1/polls/" + alice.get("/api/v1/statuses/" + second)["poll.id"] + "/votes", {{"choices[]", "1"}}
    );
    w.advance(2);
    alice.status("to followers", {{"visibility", "private"}, {"spoiler_text", "hm"}});
    w.advance(2);
    auto thread = alice.status("a **thread**", {{"content_type", "text/markdown"}});
    w.advance(700);
    alice.put("/api/v1/statuses/" + thread, {{"status", "a *thread*"}, {"content_type", "text/markdown"}});
    alice.answers(thread, "goes on");
    there.advance(3600);

    auto taken = [&](World& from, const Person& who, const std::string& name) {
        const auto to = folder.path / name;
        transfer::make_archive(zipped::sessions(from), {remote::number(who), store, to, [](auto) {
                                                            return true;
                                                        }});
        return to;
    };
    auto told = [](const Person& who) {
        auto all = who.get("/api/v1/accounts/" + who.id + "/statuses");
        std::vector<std::string> out;
        for (std::size_t i = 0; i < all.ids().size(); ++i) {
            const auto at = std::to_string(i) + ".";
            out.push_back(
                all[at + "created_at"].substr(0, 19) + all[at + "edited_at"].substr(0, 19) +
                all[at + "visibility"] + all[at + "spoiler_text"] + all[at + "language"] +
                who.get("/api/v1/statuses/" + all[at + "id"] + "/source")["text"] +
                all[at + "poll.options.1.votes_count"] + all[at + "poll.expired"] +
                all[at + "media_attachments.0.description"] +
                (all[at + "in_reply_to_id"] == all[std::to_string(i + 1) + ".id"] ? "answers the one below"
                                                                                  : "")
            );
        }
        return out;
    };
    const auto before = told(alice);
    EXPECT_THAT(before[0], HasSubstr("answers the one below"));
    const auto out = taken(w, alice, "out.zip");
    EXPECT_EQ(bring_to(there, anna, out).posts, 5);
    EXPECT_THAT(told(anna), testing::ElementsAreArray(before));
    const auto content = zipped::read(out);
    EXPECT_EQ(
        content(std::string("outbox.json"), "orderedItems.0.object.attachment.0.mediaType"), "image/png"
    );

    // Those that are here still are left alone; into another account they come.
    const auto back = taken(there, anna, "back.zip");
    EXPECT_EQ(bring_to(w, alice, out).posts, 0);
    auto carol = w.local("carol");
    EXPECT_EQ(bring_to(w, carol, back).posts, 5);
    EXPECT_THAT(told(carol), testing::ElementsAreArray(before));
    // Made anew on the way, with the same pixels.
    auto of = [](const zipped::Files& files) {
        const auto& bytes = files.at(files("outbox.json", "orderedItems.0.object.attachment.0.url"));
        return bytes.substr(bytes.find("IDAT"));
    };
    EXPECT_EQ(of(zipped::read(back)), of(content));
}

TEST_P(PostImports, go_with_their_owner) {
    bring_all({post(1, "<p>one</p>")});
    const auto kept = transfer::keep_archive(store, zip({{"outbox.json", outbox({post(2, "x")})}}));
    w.write([&](db::Write& db) { transfer::begin_post_import(db, remote::number(alice), kept.file); });
    w.events();
    w.write([&](db::Write& db) { accounts::delete_local(db, remote::number(alice)); });
    EXPECT_THAT(w.events(), testing::Contains(HasSubstr(kept.file)));
    const auto sessions = zipped::sessions(w);
    while (!transfer::import_some_posts({sessions, store, [] { return false; }})) {}
    w.run_jobs();
    EXPECT_THAT(
        w.read([&](db::Read& db) { return transfer::post_imports_of(db, remote::number(alice)); }), IsEmpty()
    );
}

}  // namespace
