// SPDX-License-Identifier: AGPL-3.0-or-later
// The work on the index of statuses that is left behind for later: how it is shared out, and what is read for it beforehand.
#include "social/discovery/status_index.hpp"
#include "world.hpp"

#include <gmock/gmock.h>

#include <set>

namespace {

using discovery::IndexGrown;

// Every look at it is so much later.
std::chrono::steady_clock::time_point shown_by_clock;
std::chrono::milliseconds between_looks;
std::chrono::steady_clock::time_point looked_at() { return shown_by_clock += between_looks; }

const db::Query<std::int64_t> texts_left{
    "test_texts_left",
    "SELECT COALESCE(sum(CAST(json_extract(payload, '$.texts') AS INTEGER)), 0) AS texts FROM jobs WHERE "
    "kind = 'tidy_index'",
    "SELECT COALESCE(sum(CAST(payload::json ->> 'texts' AS BIGINT)), 0)::bigint AS texts FROM jobs WHERE "
    "kind = 'tidy_index'"
};

struct StatusIndex : OnEachWorld {
    // Of so many texts, those whose merging is left to the next turn.
    std::int64_t left_of(std::int64_t texts, std::chrono::milliseconds step) {
        between_looks = step;
        w.write([&](db::Write& db) { discovery::merge_for_a_turn(db, IndexGrown{texts}, looked_at); });
        return w.read([](db::Read& db) { return db.one(texts_left); });
    }
};
ON_EACH_DATABASE(StatusIndex);

TEST_P(StatusIndex, is_merged_in_one_turn_where_that_is_fast) {
    EXPECT_EQ(left_of(200, std::chrono::milliseconds(0)), 0);
}

TEST_P(StatusIndex, leaves_the_rest_to_a_next_turn_where_a_step_takes_long) {
    EXPECT_EQ(left_of(200, std::chrono::milliseconds(2)), 184);
}

TEST_P(StatusIndex, takes_another_step_only_where_the_longest_would_still_fit) {
    EXPECT_EQ(left_of(200, std::chrono::milliseconds(1)), 200 - 3 * 16);
}

TEST_P(StatusIndex, comes_to_its_end_however_slow_it_is) {
    EXPECT_EQ(left_of(16, std::chrono::milliseconds(100)), 0);
    left_of(200, std::chrono::milliseconds(100));
    w.catch_up();
    EXPECT_EQ(w.read([](db::Read& db) { return db.one(texts_left); }), 0);
}

const db::Command many_texts{
    "test_many_texts",
    R"(WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
       INSERT INTO status_texts (status_id, words) SELECT i * 65536, 'common rare' || i FROM n)",
    "SELECT CAST($1 AS BIGINT) + CAST($2 AS BIGINT)"
};
const db::Query<std::int64_t> pages_of_index{
    "test_pages_of_index", "SELECT id FROM status_index_data WHERE id >= 1 << $1", "SELECT CAST($1 AS BIGINT)"
};

TEST_P(StatusIndex, is_read_beforehand_to_the_end_of_the_word_at_which_merging_stands) {
    if (w.is_postgres()) return;  // a change waits for its own pages alone there
    constexpr int texts = 4000, parts = 2, few = 2, many = 1000;
    for (int part = 0; part < parts; ++part)
        w.write([&](db::Write& db) { db.run(many_texts, 1 + part * texts, (1 + part) * texts); });
    auto pages = [&](int most) {
        auto found = w.read([&](db::Read& db) {
            return db.all(discovery::pages_to_merge, discovery::bits_of_page_in_index, few, most);
        });
        return std::set(found.begin(), found.end());
    };
    auto all = w.read([](db::Read& db) { return db.all(pages_of_index, discovery::bits_of_page_in_index); });
    // The common word comes first and takes some pages, those of the rare ones come behind.
    constexpr auto least_of_a_word = std::size_t{4};
    EXPECT_GE(pages(many).size(), parts * least_of_a_word);
    EXPECT_LT(pages(many).size(), all.size() / 2);
    EXPECT_EQ(pages(0).size(), static_cast<std::size_t>(parts * few));
}

}  // namespace
