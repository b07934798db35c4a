// SPDX-License-Identifier: AGPL-3.0-or-later
// What judging a post costs: with no rule at all, with a thousand that know 10,000 words and 50,000 domains, and the same held
// against posts that are here.
#include "db/migrate.hpp"
#include "db/open.hpp"
#include "db/transaction.hpp"
#include "server/tables.hpp"
#include "social/accounts/account.hpp"
#include "social/rules/history.hpp"
#include "social/rules/program.hpp"
#include "social/statuses/writing/compose.hpp"

#include <benchmark/benchmark.h>

namespace {

struct Site {
    base::Site site;
    jobs::Reactions reactions{server::reactions()};
    std::int64_t now = 1'767'225'600'000;
    db::Options options;
    std::unique_ptr<db::Connection> connection;
    base::AccountId author;
    std::string html;

    Site() {
        options.context = {&site, [this] { return base::Time{now}; }, &reactions};
        connection = db::open_connection(options, db::Mode::write);
        db::migrate(*connection, base::Time{now});
        statuses::use_gate(server::gate());
        db::write_now(*connection, options.context, [&](db::Write& db) {
            author = accounts::create(db, "author");
            const std::string text =
                "The quick brown fox jumps over the lazy dog and says at length what everybody knew already: "
                "that "
                "https://news.example.com/2026/01/a-long-address has more, and #weather @nobody too. It goes "
                "on for a "
                "while, since people write some three hundred and fifty signs where they say anything at "
                "all, and a "
                "rule has to look at each of them before it knows that none of it is meant.";
            html = statuses::compose(db, author, text, "text/plain").html;
        });
    }

    statuses::Candidate post() const {
        statuses::Candidate out;
        out.author = author;
        out.at = {now};
        out.html = html;
        out.language = "en";
        return out;
    }
};

Site& site() {
    static Site one;
    return one;
}

rules::Program program(int count, int words, int domains) {
    std::vector<rules::Program::Entry> all;
    for (int n = 0; n < count; ++n) {
        rules::Definition rule;
        rule.name = "Rule";
        rule.then = {{statuses::RuleAct::sensitive, {}}};
        rules::Condition said{rules::FieldId::text, rules::Op::contains_word};
        rules::Condition linked{rules::FieldId::link_domain, rules::Op::in};
        for (int i = 0; i < words / count; ++i)
            said.values.push_back("word" + std::to_string(n) + " and " + std::to_string(i));
        for (int i = 0; i < domains / count; ++i)
            linked.values.push_back("d" + std::to_string(n) + "x" + std::to_string(i) + ".example");
        rule.all_of = {n % 2 ? said : linked};
        rule.none_of = {n % 2 ? linked : said};
        all.push_back({{n + 1}, 1, true, std::move(rule)});
    }
    return rules::Program(std::move(all));
}

void judging(benchmark::State& state) {
    auto& here = site();
    const auto rules = program(1000, 10'000, 50'000);
    db::read_now(*here.connection, here.options.context, [&](db::Read& db) {
        for (auto _ : state) {
            auto post = here.post();
            rules::Facts facts(db, post);
            benchmark::DoNotOptimize(rules.judge(post, facts, db.now()));
        }
    });
}
BENCHMARK(judging);

void without_rules(benchmark::State& state) {
    auto& here = site();
    db::read_now(*here.connection, here.options.context, [&](db::Read& db) {
        for (auto _ : state) benchmark::DoNotOptimize(statuses::may_be_judged(db));
    });
}
BENCHMARK(without_rules);

const db::Command bench_post{
    "bench_post",
    R"(INSERT INTO statuses (id, account_id, conversation_id, visibility, created_at, content)
       VALUES ($1, $2, $1, 'public', $3, $4))"
};

// A hundred thousand posts in pages, as a rehearsal reads them.
void rehearsing(benchmark::State& state) {
    auto& here = site();
    constexpr std::int64_t posts = 100'000;
    db::write_now(*here.connection, here.options.context, [&](db::Write& db) {
        for (std::int64_t n = 1; n <= posts; ++n) db.run(bench_post, n, here.author, db.now(), here.html);
    });
    rules::Definition rule;
    rule.all_of = {{rules::FieldId::text, rules::Op::contains_word, {"casino", "cheap pills"}}};
    rule.then = {{statuses::RuleAct::sensitive, {}}};
    const rules::Program one({{{1}, 1, true, rule}});
    db::read_now(*here.connection, here.options.context, [&](db::Read& db) {
        for (auto _ : state)
            for (base::StatusId after{}; after.value < posts;) {
                const rules::History history(db, after, {posts}, 200);
                for (std::size_t i = 0; i < history.posts().size(); ++i) {
                    const auto post = history.candidate(i);
                    rules::Facts facts(db, post);
                    benchmark::DoNotOptimize(one.judge(post, facts, db.now()));
                }
                after = history.last();
            }
    });
    state.SetItemsProcessed(state.iterations() * posts);
}
BENCHMARK(rehearsing)->Unit(benchmark::kMillisecond);

}  // namespace
