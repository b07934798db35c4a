// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/rehearsal.hpp"

#include "base/json_read.hpp"
#include "base/shared_state.hpp"
#include "social/moderation/audit.hpp"
#include "social/rules/history.hpp"
#include "social/rules/word_list.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <chrono>

namespace rules {

#define REHEARSALS                                                                                      \
    "SELECT id, rule_id, version, state, from_id, after_id, until_id, result, created_at, finished_at " \
    "FROM rule_rehearsals "

const db::Query<Rehearsal> rehearsal_by_id{"rehearsal_by_id", REHEARSALS "WHERE id = $1"};
const db::Query<Rehearsal> rehearsals_of_rule{
    "rehearsals_of_rule", REHEARSALS "WHERE rule_id = $1 ORDER BY id DESC LIMIT 20"
};
const db::Command insert_rehearsal{
    "insert_rehearsal",
    R"(INSERT INTO rule_rehearsals (id, rule_id, version, state, from_id, after_id, until_id, result, created_at)
       VALUES ($1, $2, $3, 'running', $4, $4, $5, '', $6))"
};
const db::Command move_rehearsal{
    "move_rehearsal",
    R"(UPDATE rule_rehearsals SET after_id = $3, result = $4, state = $5, finished_at = $6
       WHERE id = $1 AND after_id = $2 AND state = 'running')"
};
const db::Command end_rehearsal{
    "end_rehearsal",
    "UPDATE rule_rehearsals SET state = 'cancelled', finished_at = $2 WHERE id = $1 AND state = 'running'"
};
const db::Command delete_old_rehearsals{
    "delete_old_rehearsals",
    R"(DELETE FROM rule_rehearsals WHERE id IN (SELECT id FROM rule_rehearsals WHERE id < $1 ORDER BY id LIMIT 100))"
};

// statuses belongs to statuses.
const db::Query<StatusId> nth_status_before{
    "nth_status_before",
    "SELECT id FROM statuses WHERE id <= $1 AND id > $2 ORDER BY id DESC LIMIT 1 OFFSET $3"
};

std::vector<Rehearsal> rehearsals(db::Read& db, RuleId rule) { return db.all(rehearsals_of_rule, rule); }
Rehearsal rehearsal(db::Read& db, RehearsalId id) { return db.one(rehearsal_by_id, id); }

RehearsalId begin_rehearsal(db::Write& db, const accounts::Actor& who, RuleId id, std::int64_t days) {
    accounts::require(who, accounts::permission::manage_blocks);
    auto of = rule(db, id);
    auto made = db.new_id<RehearsalId>();
    days = std::clamp<std::int64_t>(days, 1, longest_rehearsal_days);
    StatusId from{db.now().plus_seconds(-days * 86'400).ms << 16};
    db.run(insert_rehearsal, made, id, of.version, from, StatusId{made.value}, db.now());
    db.emit(RehearsalGoesOn{made});
    return made;
}

void cancel_rehearsal(db::Write& db, const accounts::Actor& who, RehearsalId id) {
    accounts::require(who, accounts::permission::manage_blocks);
    rehearsal(db, id);
    db.run(end_rehearsal, id, db.now());
}

namespace {

std::string json(const RehearsalResult& result) {
    std::string out = "{\"posts\":" + std::to_string(result.posts) +
                      ",\"hits\":" + std::to_string(result.hits) +
                      ",\"local_hits\":" + std::to_string(result.local_hits);
    auto add = [&](const char* name, const std::map<std::string, std::int64_t>& counts) {
        out += std::string(",\"") + name + "\":";
        base::json::write(out, counts);
    };
    add("actions", result.actions), add("days", result.days), add("authors", result.authors),
        add("servers", result.servers);
    out += ",\"samples\":" + base::json::to_string(result.samples) + "}";
    return out;
}

RehearsalResult result_in(std::string_view text) {
    RehearsalResult out;
    if (text.empty()) return out;
    auto value = base::json::parse(text);
    const auto& from = value.as_object();
    auto number = [&](const char* name) { return from.at(name).to_number<std::int64_t>(); };
    auto counts = [&](const char* name) {
        std::map<std::string, std::int64_t> all;
        for (const auto& one : from.at(name).as_object())
            all.emplace(std::string(one.key()), one.value().to_number<std::int64_t>());
        return all;
    };
    out.posts = number("posts"), out.hits = number("hits"), out.local_hits = number("local_hits");
    out.actions = counts("actions"), out.days = counts("days");
    out.authors = counts("authors"), out.servers = counts("servers");
    base::json::read_value(from.at("samples"), out.samples);
    return out;
}

// Who comes later than so many others is counted under no name.
void count(std::map<std::string, std::int64_t>& counts, const std::string& name) {
    auto known = counts.find(name);
    if (known != counts.end()) ++known->second;
    else if (counts.size() < most_counted) counts.emplace(name, 1);
}

void add_hit(RehearsalResult& out, const StoredPost& post, const statuses::RuleHit& hit) {
    ++out.hits;
    if (post.domain.empty()) ++out.local_hits;
    for (const auto& action : hit.actions) count(out.actions, std::string(base::word(action.act)));
    count(out.days, base::to_string(base::Date{post.created_at.ms}));
    count(out.authors, std::to_string(post.account_id.value));
    count(out.servers, post.domain);
    if (out.samples.size() < most_samples) out.samples.push_back({post.id, post.account_id, hit.matched});
}

}  // namespace

namespace {

// What came lately, as it was when the post came that is next. A rehearsal goes on in the process that has its window; another
// one begins with the posts before.
struct Past {
    StatusId after;
    std::shared_ptr<Window> window;
};

struct Pasts {
    base::Lock lock;
    std::map<RehearsalId, Past> all;
};

Pasts& pasts() {
    static Pasts one;
    return one;
}

std::shared_ptr<Window> take_past(RehearsalId id, StatusId after) {
    const base::Hold hold(pasts().lock);
    auto found = pasts().all.find(id);
    if (found == pasts().all.end()) return nullptr;
    auto out = found->second.after == after ? found->second.window : nullptr;
    pasts().all.erase(found);
    return out;
}

void keep_past(RehearsalId id, Past past) {
    constexpr std::size_t most = 4;
    const base::Hold hold(pasts().lock);
    if (pasts().all.size() >= most) pasts().all.erase(pasts().all.begin());
    pasts().all.insert_or_assign(id, std::move(past));
}

constexpr int page = 200;

std::shared_ptr<Window> past_of(db::Read& db, const Rehearsal& now, std::int64_t minutes) {
    if (auto known = take_past(now.id, now.after_id)) return known;
    auto out = std::make_shared<Window>();
    if (minutes == 0) return out;
    StatusId after{std::max<std::int64_t>(now.after_id.value - ((minutes * 60'000) << 16), 0)};
    constexpr auto most = static_cast<std::int64_t>(Window::most);
    if (auto first = db.maybe(nth_status_before, now.after_id, after, most)) after = *first;
    while (after < now.after_id) {
        const History history(db, after, now.after_id, page);
        for (std::size_t i = 0; i < history.posts().size(); ++i) {
            const auto post = history.candidate(i);
            Facts(db, post, out.get()).note();
        }
        after = history.last();
    }
    return out;
}

}  // namespace

jobs::Change rehearse(db::Read& db, const RehearsalGoesOn& left) {
    using Clock = std::chrono::steady_clock;
    using std::chrono_literals::operator""ms;
    const auto started = Clock::now();
    auto now = db.maybe(rehearsal_by_id, left.rehearsal);
    if (!now || now->state != RehearsalState::running) return {};
    auto result = result_in(now->result);
    auto says = definition_of(db, now->rule_id, now->version);
    says.expires_at.reset();
    const Program program({{now->rule_id, now->version, true, with_lists(db, std::move(says))}});
    const auto window = past_of(db, *now, program.counts());
    // Who had to read the past again, as on another node, goes on for as long as that took.
    const auto turn = std::clamp<Clock::duration>(Clock::now() - started, 40ms, 4000ms);
    auto after = now->after_id;
    bool over = false;
    for (const auto begun = Clock::now(); !over && Clock::now() - begun < turn;) {
        const History history(db, after, now->until_id, page);
        for (std::size_t i = 0; i < history.posts().size(); ++i) {
            const auto post = history.candidate(i);
            Facts facts(db, post, window.get());
            if (program.counts() > 0) facts.note();
            ++result.posts;
            auto verdict = program.judge(post, facts, db.now());
            for (const auto& hit : verdict.hits) add_hit(result, history.posts()[i], hit);
        }
        after = history.last();
        over = history.over();
    }
    if (!over) keep_past(now->id, {after, window});
    return [before = *now, after, over, text = json(result)](db::Write& change) {
        auto state = over ? RehearsalState::done : RehearsalState::running;
        std::optional<Time> finished;
        if (over) finished = change.now();
        if (change.run(move_rehearsal, before.id, before.after_id, after, text, state, finished) == 0) return;
        if (over) note_rehearsed(change, before.rule_id, before.version);
        else change.emit(RehearsalGoesOn{before.id});
    };
}

void purge_rehearsals(db::Write& db) {
    auto until = db.now().plus_seconds(-rehearsals_kept_seconds);
    db.run(delete_old_rehearsals, RehearsalId{std::max<std::int64_t>(until.ms, 0) << 16});
}

}  // namespace rules
