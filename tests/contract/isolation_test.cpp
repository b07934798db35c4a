// SPDX-License-Identifier: AGPL-3.0-or-later
// Every rule that looks before it writes holds when two do so at the same time, wherever one of them stands.
#include "isolation_stage.hpp"
#include "social/accounts/users/invite.hpp"
#include "social/accounts/users/user.hpp"
#include "social/federation/remote.hpp"
#include "social/lists/list.hpp"
#include "social/media/media.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/interactions/interaction_rules.hpp"
#include "social/statuses/interactions/pin.hpp"
#include "social/statuses/polls/poll.hpp"
#include "social/statuses/writing/edit.hpp"

namespace {

using base::AccountId, base::StatusId;
using isolation::Change, isolation::End;

template <class Id = AccountId>
Id id(const std::string& text) {
    return {std::stoll(text)};
}
AccountId id(const Person& person) { return id<AccountId>(person.id); }

statuses::Draft draft(AccountId account, const std::string& text) {
    statuses::Draft out;
    out.account = account;
    out.text = text;
    out.content.html = "<p>" + text + "</p>";
    return out;
}

// As the endpoint has it.
Change beside(Change change) {
    return [change = std::move(change)](db::Write& db) {
        db.beside_others();
        change(db);
    };
}

struct Rules : isolation::Isolation {
    Person fresh(const std::string& name) { return w().local(name + std::to_string(++people_)); }
    std::string about(const char* sql, const std::string& id) {
        std::string out = sql;
        for (auto at = out.find('$'); at != out.npos; at = out.find('$')) out.replace(at, 1, id);
        return out;
    }
    void expect_one(End a, End b) { EXPECT_NE(a == End::done, b == End::done); }
    void expect_counters() {
        EXPECT_EQ(
            count("SELECT count(*) FROM statuses s WHERE deleted_at IS NULL AND favourites_count <> "
                  "(SELECT count(*) FROM favourites f WHERE f.status_id = s.id)"),
            0
        );
        EXPECT_EQ(
            count("SELECT count(*) FROM statuses s WHERE deleted_at IS NULL AND reblogs_count <> "
                  "(SELECT count(*) FROM statuses r WHERE r.reblog_of_id = s.id AND r.deleted_at IS NULL)"),
            0
        );
        EXPECT_EQ(
            count("SELECT count(*) FROM accounts a WHERE followers_count <> "
                  "(SELECT count(*) FROM follows f WHERE f.target_id = a.id) OR following_count <> "
                  "(SELECT count(*) FROM follows f WHERE f.account_id = a.id)"),
            0
        );
        EXPECT_EQ(
            count("SELECT count(*) FROM accounts a WHERE statuses_count <> (SELECT count(*) FROM statuses s "
                  "WHERE s.account_id = a.id AND s.deleted_at IS NULL AND s.visibility NOT IN ('direct', "
                  "'limited'))"),
            0
        );
        EXPECT_EQ(
            count("SELECT count(*) FROM notification_groups g WHERE members <> (SELECT count(*) FROM "
                  "notifications n "
                  "WHERE n.account_id = g.account_id AND n.group_key = g.group_key)"),
            0
        );
    }

private:
    int people_ = 0;
};

TEST_F(Rules, a_name_is_given_to_one) {
    int round = 0;
    auto make = [&](const char* mail) {
        return [&round, mail](db::Write& db) {
            accounts::NewUser user;
            user.username = "same" + std::to_string(round);
            user.email = std::to_string(round) + mail;
            user.confirmed = true;
            accounts::create_user(db, user);
        };
    };
    interleave(
        [&] { ++round; },
        make("@one.example"),
        make("@two.example"),
        [&](End a, End b) {
            expect_one(a, b);
            EXPECT_EQ(
                count("SELECT count(*) FROM accounts WHERE username = 'same" + std::to_string(round) + "'"), 1
            );
        }
    );
}

TEST_F(Rules, nobody_votes_twice) {
    auto author = fresh("author"), voter = fresh("voter");
    std::string poll;
    auto prepare = [&] {
        poll = author.status(
            "which", {{"poll[options][]", "a"}, {"poll[options][]", "b"}, {"poll[expires_in]", "3600"}}
        );
    };
    auto vote = [&](std::int64_t choice) {
        return [&, choice](db::Write& db) { statuses::vote(db, id(voter), id<StatusId>(poll), {choice}); };
    };
    interleave(prepare, vote(0), vote(1), [&](End a, End b) {
        expect_one(a, b);
        EXPECT_EQ(count("SELECT count(*) FROM poll_votes WHERE status_id = " + poll), 1);
        EXPECT_EQ(count("SELECT sum(votes_count) FROM poll_options WHERE status_id = " + poll), 1);
    });
}

TEST_F(Rules, who_blocks_is_not_followed) {
    Person one, other;
    auto prepare = [&] {
        one = fresh("one");
        other = fresh("other");
    };
    auto follow = beside([&](db::Write& db) { relationships::follow(db, id(one), id(other), {}); });
    auto block = [&](db::Write& db) { relationships::block(db, id(other), id(one)); };
    interleave(prepare, follow, block, [&](End, End blocked) {
        EXPECT_EQ(blocked, End::done);
        EXPECT_EQ(count("SELECT count(*) FROM follows WHERE account_id = " + one.id), 0);
        expect_counters();
    });
}

TEST_F(Rules, one_follow_is_one_however_often_it_begins_and_ends) {
    Person one, other;
    auto prepare = [&] {
        one = fresh("one");
        other = fresh("other");
    };
    auto follow = beside([&](db::Write& db) { relationships::follow(db, id(one), id(other), {}); });
    auto unfollow = beside([&](db::Write& db) { relationships::unfollow(db, id(one), id(other)); });
    interleave(prepare, follow, follow, [&](End a, End b) {
        EXPECT_TRUE(a == End::done && b == End::done);
        EXPECT_EQ(count("SELECT count(*) FROM follows WHERE account_id = " + one.id), 1);
        expect_counters();
    });
    interleave(prepare, follow, unfollow, [&](End, End) { expect_counters(); });
}

TEST_F(Rules, what_is_deleted_is_not_boosted) {
    auto author = fresh("author"), booster = fresh("booster");
    std::string status;
    auto prepare = [&] { status = author.status("hello"); };
    auto boost = beside([&](db::Write& db) { statuses::reblog(db, id(booster), id<StatusId>(status), {}); });
    auto remove = [&](db::Write& db) { statuses::remove(db, id(author), id<StatusId>(status), false); };
    interleave(prepare, boost, remove, [&](End, End removed) {
        EXPECT_EQ(removed, End::done);
        w().run_jobs();
        EXPECT_EQ(
            count("SELECT count(*) FROM statuses WHERE deleted_at IS NULL AND reblog_of_id = " + status), 0
        );
        expect_counters();
    });
}

TEST_F(Rules, a_post_is_boosted_and_liked_once_by_one) {
    auto author = fresh("author"), reader = fresh("reader");
    std::string status;
    auto prepare = [&] { status = author.status("hello"); };
    auto boost = beside([&](db::Write& db) { statuses::reblog(db, id(reader), id<StatusId>(status), {}); });
    auto like = beside([&](db::Write& db) { statuses::favourite(db, id(reader), id<StatusId>(status), {}); });
    auto unlike = beside([&](db::Write& db) { statuses::unfavourite(db, id(reader), id<StatusId>(status)); });
    auto check = [&](End a, End b) {
        EXPECT_TRUE(a == End::done && b == End::done);
        expect_counters();
    };
    interleave(prepare, boost, boost, check);
    interleave(prepare, like, like, check);
    interleave(prepare, like, unlike, check);
}

TEST_F(Rules, likes_of_many_and_their_end_stand_in_one_group) {
    auto author = fresh("author"), one = fresh("one"), other = fresh("other");
    std::string status;
    auto prepare = [&] {
        status = author.status("hello");
        one.favourites(status);
    };
    auto like = beside([&](db::Write& db) { statuses::favourite(db, id(other), id<StatusId>(status), {}); });
    auto unlike = beside([&](db::Write& db) { statuses::unfavourite(db, id(one), id<StatusId>(status)); });
    interleave(prepare, like, unlike, [&](End, End) {
        expect_counters();
        EXPECT_EQ(
            count(
                "SELECT newest_id FROM notification_groups WHERE group_key LIKE 'favourite-" + status + "-%'"
            ),
            count("SELECT max(id) FROM notifications WHERE status_id = " + status)
        );
    });
}

TEST_F(Rules, an_edit_does_not_bring_back_what_is_deleted) {
    auto author = fresh("author");
    std::string status;
    auto prepare = [&] { status = author.status("hello"); };
    auto edit = [&](db::Write& db) {
        statuses::Edit changed;
        changed.id = id<StatusId>(status);
        changed.account = id(author);
        changed.text = "other words";
        changed.content_type = "text/plain";
        changed.content.html = "<p>other words</p>";
        statuses::edit(db, changed);
    };
    auto remove = [&](db::Write& db) { statuses::remove(db, id(author), id<StatusId>(status), false); };
    interleave(prepare, edit, remove, [&](End, End removed) {
        EXPECT_EQ(removed, End::done);
        EXPECT_EQ(count("SELECT count(*) FROM statuses WHERE deleted_at IS NULL AND id = " + status), 0);
    });
}

// Somebody is led to a post of another server just as that deletes it.
TEST_F(Rules, what_its_server_has_deleted_is_not_stored) {
    auto author = remote::somebody(w(), "carol");
    statuses::RemoteStatus note;
    int times = 0;
    auto prepare = [&] { note = remote::note(w(), author, "post" + std::to_string(++times)); };
    auto store = [&](db::Write& db) { statuses::store_remote(db, note); };
    auto remove = [&](db::Write& db) { statuses::remove_remote(db, author, note.uri); };
    interleave(prepare, beside(store), beside(remove), [&](End, End removed) {
        EXPECT_EQ(removed, End::done);
        EXPECT_EQ(
            count("SELECT count(*) FROM statuses WHERE deleted_at IS NULL AND uri = '" + note.uri + "'"), 0
        );
    });
}

TEST_F(Rules, an_invite_is_used_no_more_often_than_it_says) {
    std::string code;
    auto prepare = [&] {
        accounts::NewInvite wanted;
        wanted.max_uses = 1;
        code = w().write([&](db::Write& db) { return accounts::create_invite(db, wanted); });
    };
    auto redeem = [&](db::Write& db) {
        if (!accounts::redeem(db, code)) throw base::Forbidden();
    };
    interleave(prepare, beside(redeem), beside(redeem), [&](End a, End b) { expect_one(a, b); });
}

TEST_F(Rules, a_picture_stands_in_one_post) {
    auto author = fresh("author");
    base::MediaId picture;
    auto prepare = [&] {
        media::Media made;
        made.account_id = id(author);
        made.file = made.preview = "x.png";
        made.mime = "image/png";
        picture = w().write([&](db::Write& db) { return media::create(db, made); });
    };
    auto post = [&](const char* text) {
        return beside([&, text](db::Write& db) {
            auto wanted = draft(id(author), text);
            wanted.media = {picture};
            statuses::create(db, wanted);
        });
    };
    interleave(prepare, post("one"), post("other"), [&](End a, End b) {
        expect_one(a, b);
        expect_counters();
    });
}

TEST_F(Rules, a_request_that_is_sent_twice_makes_one_post) {
    auto author = fresh("author");
    int round = 0;
    auto post = beside([&](db::Write& db) {
        auto wanted = draft(id(author), "hello");
        wanted.idempotency_key = "key " + std::to_string(round);
        statuses::create(db, wanted);
    });
    interleave(
        [&] { ++round; },
        post,
        post,
        [&](End a, End b) {
            EXPECT_TRUE(a == End::done && b == End::done);
            EXPECT_EQ(count("SELECT count(*) FROM statuses WHERE account_id = " + author.id), round);
            expect_counters();
        }
    );
}

TEST_F(Rules, nobody_pins_more_than_five) {
    Person author;
    std::vector<std::string> posts;
    auto prepare = [&] {
        author = fresh("author");
        posts.clear();
        for (int i = 0; i < 6; ++i) posts.push_back(author.status("post"));
        for (int i = 0; i < 4; ++i)
            author.post("/api/v1/statuses/" + posts[static_cast<std::size_t>(i)] + "/pin");
    };
    auto pin = [&](std::size_t which) {
        return [&, which](db::Write& db) { statuses::pin(db, id(author), id<StatusId>(posts[which])); };
    };
    interleave(prepare, pin(4), pin(5), [&](End a, End b) {
        expect_one(a, b);
        EXPECT_EQ(count("SELECT count(*) FROM status_pins WHERE account_id = " + author.id), 5);
    });
}

TEST_F(Rules, nobody_has_more_lists_than_fifty) {
    Person owner;
    auto prepare = [&] {
        owner = fresh("owner");
        for (int i = 0; i < 49; ++i)
            w().write([&](db::Write& db) {
                lists::Changes list;
                list.title = "a list";
                lists::create(db, id(owner), list);
            });
    };
    auto make = [&](db::Write& db) {
        lists::Changes list;
        list.title = "one more";
        lists::create(db, id(owner), list);
    };
    interleave(prepare, make, make, [&](End a, End b) {
        expect_one(a, b);
        EXPECT_EQ(count("SELECT count(*) FROM lists WHERE account_id = " + owner.id), 50);
    });
}

TEST_F(Rules, what_is_posted_while_a_follow_begins_stands_in_the_home) {
    Person author, reader;
    auto prepare = [&] {
        author = fresh("author");
        reader = fresh("reader");
    };
    auto post = beside([&](db::Write& db) { statuses::create(db, draft(id(author), "hello")); });
    auto follow = beside([&](db::Write& db) { relationships::follow(db, id(reader), id(author), {}); });
    interleave(prepare, post, follow, [&](End a, End b) {
        EXPECT_TRUE(a == End::done && b == End::done);
        w().run_jobs();
        EXPECT_EQ(reader.home().size(), 1u);
    });
}

}  // namespace
