// SPDX-License-Identifier: AGPL-3.0-or-later
#include "support/database.hpp"

namespace {

BOOST_DEFINE_ENUM_CLASS(Colour, red, green)

struct Everything {
    base::StatusId id;
    std::int64_t big = 0;
    int small = 0;
    bool yes = false;
    double ratio = 0;
    std::string words;
    std::string bytes;
    Colour colour = Colour::red;
    base::Time at;
    base::Date day;
    base::WholeSeconds second;
    std::optional<std::int64_t> maybe_big;
    std::optional<bool> maybe_yes;
    std::optional<double> maybe_ratio;
    std::optional<std::string> maybe_words;
    std::optional<Colour> maybe_colour;
    std::optional<base::Time> maybe_at;
    std::optional<base::AccountId> maybe_id;
};
DESCRIBE(
    Everything, id, big, small, yes, ratio, words, bytes, colour, at, day, second, maybe_big, maybe_yes,
    maybe_ratio, maybe_words, maybe_colour, maybe_at, maybe_id
)

constexpr const char* create_everything = R"(CREATE TABLE everything (
    id BIGINT PRIMARY KEY, big BIGINT NOT NULL, small INTEGER NOT NULL, yes BOOLEAN NOT NULL,
    ratio DOUBLE PRECISION NOT NULL, words TEXT NOT NULL UNIQUE, bytes BYTEA NOT NULL, colour TEXT NOT NULL,
    at BIGINT NOT NULL, day BIGINT NOT NULL, second BIGINT NOT NULL, maybe_big BIGINT, maybe_yes BOOLEAN,
    maybe_ratio DOUBLE PRECISION, maybe_words TEXT, maybe_colour TEXT, maybe_at BIGINT, maybe_id BIGINT))";

const db::Command insert_everything{
    "test_insert_everything",
    "INSERT INTO everything VALUES "
    "($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)"
};
const db::Query<Everything> everything_of{
    "test_everything_of",
    "SELECT id, big, small, yes, ratio, words, bytes, colour, at, day, second, maybe_big, maybe_yes, "
    "maybe_ratio, "
    "maybe_words, maybe_colour, maybe_at, maybe_id FROM everything WHERE id = $1"
};
const db::Query<base::StatusId> ids_that_are{
    "test_ids_that_are", "SELECT id FROM everything WHERE yes = $2 AND big >= $1 ORDER BY id"
};
const db::Query<base::StatusId> true_ids{
    "test_true_ids", "SELECT id FROM everything WHERE yes = TRUE OR maybe_yes = FALSE ORDER BY id"
};
const db::Query<base::StatusId> ids_in{
    "test_ids_in",
    "SELECT id FROM everything WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id",
    "SELECT id FROM everything WHERE id = ANY($1::bigint[]) ORDER BY id"
};
const db::Query<std::string> words_in{
    "test_words_in", "SELECT value FROM json_each($1) ORDER BY key", "SELECT unnest($1::text[])"
};
const db::Query<base::StatusId> ids_listed{
    "test_ids_listed",
    "SELECT value FROM list($1) ORDER BY place DESC",
    "SELECT unnest FROM unnest($1::bigint[]) WITH ORDINALITY ORDER BY ordinality DESC"
};
const db::Query<std::string> words_listed{
    "test_words_listed", "SELECT value FROM list($1) ORDER BY place", "SELECT unnest($1::text[])"
};
const db::Query<base::StatusId> before{
    "test_before",
    "SELECT id FROM everything WHERE id < coalesce($1, 9223372036854775807) ORDER BY id DESC LIMIT $2"
};
const db::Query<base::StatusId> filtered{
    "test_filtered", "SELECT id FROM everything WHERE words = $1 OR $1 IS NULL ORDER BY id"
};
const db::Command set_words{"test_set_words", "UPDATE everything SET words = $2 WHERE id = $1"};
const db::Query<std::int64_t> set_big{
    "test_set_big", "UPDATE everything SET big = $2 WHERE id = $1 RETURNING big"
};

struct Rows : support::OnEachDatabase {
    std::unique_ptr<db::Connection> connection = database.connection();
    Rows() {
        std::string create = create_everything;
        if (!database.is_postgres()) create.replace(create.find("BYTEA"), 5, "BLOB");
        connection->script(create);
    }
    template <class F>
    auto write(F f) {
        return db::write_now(*connection, database.options.context, f);
    }
    template <class F>
    auto read(F f) {
        return db::read_now(*connection, database.options.context, f);
    }
    void insert(const Everything& e) {
        write([&](db::Write& db) {
            db.run(
                insert_everything,
                e.id,
                e.big,
                e.small,
                e.yes,
                e.ratio,
                e.words,
                db::Blob{e.bytes},
                e.colour,
                e.at,
                e.day,
                e.second,
                e.maybe_big,
                e.maybe_yes,
                e.maybe_ratio,
                e.maybe_words,
                e.maybe_colour,
                e.maybe_at,
                e.maybe_id
            );
        });
    }
    void expect_round_trip(const Everything& e) {
        insert(e);
        const auto found = read([&](db::Read& db) { return db.one(everything_of, e.id); });
        base::for_each_member<Everything>([&](auto member) {
            EXPECT_TRUE(found.*member.pointer == e.*member.pointer) << member.name;
        });
    }
};
ON_EACH_DATABASE(Rows);

TEST_P(Rows, keep_members_of_every_type) {
    expect_round_trip({
        .id = {1},
        .big = std::numeric_limits<std::int64_t>::min(),
        .small = -7,
        .yes = true,
        .ratio = 0.1,
        .words = "it's \"quoted\" \\ ünïcödé 🐦",
        .bytes = std::string("\0\xff\x80 bytes", 9),
        .colour = Colour::green,
        .at = {1'767'225'600'123},
        .day = {86'400'000},
        .second = {1000},
        .maybe_big = std::numeric_limits<std::int64_t>::max(),
        .maybe_yes = false,
        .maybe_ratio = -1e300,
        .maybe_words = "",
        .maybe_colour = Colour::green,
        .maybe_at = base::Time{-5},
        .maybe_id = base::AccountId{3},
    });
}

TEST_P(Rows, keep_nulls_and_emptiness) { expect_round_trip({.id = {2}}); }

TEST_P(Rows, compare_booleans_with_parameters_and_literals) {
    insert({.id = {1}, .yes = true, .words = "a"});
    insert({.id = {2}, .yes = false, .words = "b", .maybe_yes = true});
    insert({.id = {3}, .yes = false, .words = "c", .maybe_yes = false});
    read([&](db::Read& db) {
        EXPECT_EQ(db.all(ids_that_are, 0, true), (std::vector<base::StatusId>{{1}}));
        EXPECT_EQ(db.all(ids_that_are, 0, false), (std::vector<base::StatusId>{{2}, {3}}));
        EXPECT_EQ(db.all(true_ids), (std::vector<base::StatusId>{{1}, {3}}));
    });
}

TEST_P(Rows, are_found_by_lists_of_ids) {
    for (int i = 1; i <= 4; ++i) insert({.id = {i}, .words = std::to_string(i)});
    read([&](db::Read& db) {
        EXPECT_EQ(
            db.all(ids_in, std::vector<base::StatusId>{{4}, {2}, {99}}),
            (std::vector<base::StatusId>{{2}, {4}})
        );
        EXPECT_TRUE(db.all(ids_in, std::vector<base::StatusId>{}).empty());
        EXPECT_EQ(
            db.all(ids_listed, std::vector<base::StatusId>{{4}, {2}, {99}}),
            (std::vector<base::StatusId>{{99}, {2}, {4}})
        );
        EXPECT_TRUE(db.all(ids_listed, std::vector<base::StatusId>{}).empty());
    });
}

TEST_P(Rows, take_lists_of_any_text) {
    const std::vector<std::string> words{
        "",
        "NULL",
        "a,b",
        "{x}",
        "it's",
        "say \"hi\"",
        "back\\slash",
        " ",
        "\n\t",
        "🐦",
        "\x01\x1f",
        "\\\"",
        "nul\\u0000"
    };
    read([&](db::Read& db) {
        EXPECT_EQ(db.all(words_in, words), words);
        EXPECT_TRUE(db.all(words_in, std::vector<std::string>{}).empty());
        EXPECT_EQ(db.all(words_listed, words), words);
        EXPECT_TRUE(db.all(words_listed, std::vector<std::string>{}).empty());
    });
}

TEST_P(Rows, page_with_an_optional_bound) {
    for (int i = 1; i <= 3; ++i) insert({.id = {i}, .words = std::to_string(i)});
    read([&](db::Read& db) {
        EXPECT_EQ(db.all(before, std::nullopt, 2), (std::vector<base::StatusId>{{3}, {2}}));
        EXPECT_EQ(db.all(before, std::optional(base::StatusId{3}), 1), (std::vector<base::StatusId>{{2}}));
    });
}

TEST_P(Rows, pass_an_optional_filter) {
    for (int i = 1; i <= 3; ++i) insert({.id = {i}, .words = i == 2 ? "even" : "odd" + std::to_string(i)});
    read([&](db::Read& db) {
        EXPECT_EQ(db.all(filtered, std::nullopt).size(), 3u);
        EXPECT_EQ(db.all(filtered, "even"), (std::vector<base::StatusId>{{2}}));
    });
}

TEST_P(Rows, stay_readable_while_the_same_statement_runs_again) {
    for (int i = 1; i <= 3; ++i) insert({.id = {i}, .words = std::to_string(i)});
    std::vector<std::int64_t> seen;
    read([&](db::Read& db) {
        db.each(
            before,
            [&](base::StatusId outer) {
                for (const auto inner : db.all(before, outer, 9))
                    seen.push_back(outer.value * 10 + inner.value);
            },
            std::nullopt,
            9
        );
    });
    EXPECT_EQ(seen, (std::vector<std::int64_t>{32, 31, 21}));
}

TEST_P(Rows, that_are_absent_are_nothing_or_not_found) {
    read([&](db::Read& db) {
        EXPECT_FALSE(db.maybe(everything_of, 7));
        EXPECT_THROW(db.one(everything_of, 7), base::NotFound);
    });
}

TEST_P(Rows, are_counted_when_changed) {
    insert({.id = {1}, .words = "a"});
    write([&](db::Write& db) {
        EXPECT_EQ(db.run(set_words, 1, "b"), 1);
        EXPECT_EQ(db.run(set_words, 2, "c"), 0);
        EXPECT_EQ(db.one(set_big, 1, 5), 5);
    });
}

TEST_P(Rows, refuse_duplicates_by_a_type_of_their_own) {
    insert({.id = {1}, .words = "a"});
    EXPECT_THROW(insert({.id = {1}, .words = "b"}), db::Duplicate);
    EXPECT_THROW(insert({.id = {2}, .words = "a"}), db::Duplicate);
}

TEST_P(Rows, go_on_after_a_duplicate_that_was_caught) {
    insert({.id = {1}, .words = "a"});
    insert({.id = {2}, .words = "b"});
    const bool caught = write([&](db::Write& db) {
        db.run(set_words, 2, "c");
        try {
            db.run(set_words, 2, "a");
            return false;
        } catch (const db::Duplicate&) {}
        db.one(set_big, 2, 9);
        return true;
    });
    EXPECT_TRUE(caught);
    const auto row = read([&](db::Read& db) { return db.one(everything_of, 2); });
    EXPECT_EQ(row.words, "c");
    EXPECT_EQ(row.big, 9);
}

TEST_P(Rows, refuse_text_with_a_nul) {
    using namespace std::string_view_literals;
    insert({.id = {1}, .words = "a"});
    EXPECT_THROW(write([&](db::Write& db) { db.run(set_words, 1, "a\0b"sv); }), base::Invalid);
    EXPECT_THROW(
        read([&](db::Read& db) { db.all(words_in, std::vector<std::string>{std::string("\0", 1)}); }),
        base::Invalid
    );
}

TEST_P(Rows, cannot_be_changed_by_a_reader) {
    insert({.id = {1}, .words = "a"});
    EXPECT_THROW(read([&](db::Read& db) { db.one(set_big, 1, 5); }), db::Failure);
    write([&](db::Write& db) { db.one(set_big, 1, 6); });
}

TEST_P(Rows, are_forgotten_with_a_change_that_throws) {
    insert({.id = {1}, .words = "a"});
    EXPECT_THROW(
        write([&](db::Write& db) {
            db.run(set_words, 1, "b");
            throw base::Forbidden();
        }),
        base::Forbidden
    );
    EXPECT_EQ(read([&](db::Read& db) { return db.one(everything_of, 1).words; }), "a");
}

}  // namespace
