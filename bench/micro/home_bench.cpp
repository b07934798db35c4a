// SPDX-License-Identifier: AGPL-3.0-or-later
// A page of home and its JSON, without sockets and threads: of a viewer who follows 300 of 1,000 accounts, and of one
// who besides follows 20 hashtags and has 5 exclusive lists and 30 filters.
#include "db/migrate.hpp"
#include "db/open.hpp"
#include "db/transaction.hpp"
#include "server/tables.hpp"
#include "social/accounts/account.hpp"
#include "social/filters/filter.hpp"
#include "social/lists/list.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/render/status_entity.hpp"
#include "social/statuses/writing/compose.hpp"
#include "social/tags/tag_follow.hpp"
#include "social/timelines/home.hpp"

#include <benchmark/benchmark.h>

namespace {

struct Site {
    base::Site site;
    jobs::Reactions reactions{server::reactions()};
    std::int64_t now = 1'767'225'600'000;
    db::Options options;
    std::unique_ptr<db::Connection> connection;
    base::AccountId viewer, busy;

    Site() {
        options.context = {&site, [this] { return base::Time{now}; }, &reactions};
        connection = db::open_connection(options, db::Mode::write);
        db::migrate(*connection, base::Time{now});
        db::write_now(*connection, options.context, [&](db::Write& db) {
            std::vector<base::AccountId> authors;
            for (int n = 0; n < 1000; ++n)
                authors.push_back(accounts::create(db, "user" + std::to_string(n)));
            viewer = accounts::create(db, "viewer");
            busy = accounts::create(db, "busy");
            for (auto who : {viewer, busy}) follow_some(db, who, authors);
            for (std::size_t n = 0; n < 5000; ++n) post(db, authors[n * 7 % 1000], n);
            complicate(db, authors);
        });
    }

    // As it is once the jobs of the follows have run.
    void follow_some(db::Write& db, base::AccountId who, const std::vector<base::AccountId>& authors) {
        for (std::size_t n = 0; n < 300; ++n) relationships::follow(db, who, authors[n * 3], {});
        for (const auto& backfill : relationships::backfills(db, who))
            relationships::set_backfill(db, backfill.follow, 0);
    }

    void complicate(db::Write& db, const std::vector<base::AccountId>& authors) {
        for (int n = 0; n < 20; ++n) tags::follow(db, busy, "topic" + std::to_string(n));
        for (std::size_t n = 0; n < 5; ++n) {
            auto list = lists::create(db, busy, {"list", lists::RepliesPolicy::list, true});
            std::vector<base::AccountId> members;
            for (std::size_t i = 0; i < 10; ++i) members.push_back(authors[(n * 10 + i) * 3]);
            lists::add_members(db, busy, list, members);
        }
        for (int n = 0; n < 30; ++n) {
            filters::Changes filter;
            filter.title = "filter";
            filter.context = {{filters::Context::home}};
            for (int i = 0; i < 3; ++i)
                filter.keywords.push_back({{}, "word" + std::to_string(n * 3 + i), {}, false});
            filters::create(db, busy, filter);
        }
    }

    void post(db::Write& db, base::AccountId author, std::size_t n) {
        statuses::Draft draft;
        draft.account = author;
        draft.text = "Measured status " + std::to_string(n) + " about #topic" + std::to_string(n % 200) +
                     ", see https://example.com/a/page";
        draft.content = statuses::compose(db, author, draft.text, draft.content_type);
        statuses::create(db, draft);
    }
};

Site& site() {
    static Site made;
    return made;
}

void home_page(benchmark::State& state, base::AccountId Site::* viewer) {
    auto& s = site();
    std::size_t bytes = 0;
    for (auto _ : state) {
        db::in_transaction(*s.connection, db::Mode::read, [&] {
            db::Read db(*s.connection, s.options.context);
            auto audience = statuses::audience(db, s.*viewer);
            base::Range range;
            range.limit = static_cast<int>(state.range(0));
            bytes = statuses::json_list(db, audience, timelines::home(db, audience, range)).size();
        });
    }
    state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK_CAPTURE(home_page, plain, &Site::viewer)->Arg(1)->Arg(20)->Arg(40);
BENCHMARK_CAPTURE(home_page, with_tags_lists_and_filters, &Site::busy)->Arg(1)->Arg(20)->Arg(40);

void compose_and_publish(benchmark::State& state) {
    auto& s = site();
    std::size_t n = 100'000;
    for (auto _ : state)
        db::write_now(*s.connection, s.options.context, [&](db::Write& db) { s.post(db, s.viewer, ++n); });
}
BENCHMARK(compose_and_publish);

}  // namespace
