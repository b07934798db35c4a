// SPDX-License-Identifier: AGPL-3.0-or-later
// What a list means for who is there. A chunk is found on a reader, enough for several turns of the writer, which does as much
// of it as it has time for and notes how far it came, in the job row; the next one is found meanwhile. Whatever is killed in between
// begins where the last commit ended.
#include "jobs/steps.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/media/withholding.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/relationships/list_severing.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>

namespace moderation {

namespace {

using relationships::ListPerson, relationships::TieKind;

using Step = std::function<std::optional<ListGoesOn>(db::Write&)>;

// Marks and ties of a chunk are some turns of the writer, so that most of its time is not spent with finding them, nor
// all of it before others have their jobs done.
constexpr std::size_t accounts_of_chunk = 2500, walked_of_chunk = 5000, people_of_chunk = 1000,
                      ties_of_chunk = 10'000;
// For one statement
constexpr std::size_t marked_at_once = 100, tied_at_once = 500;
constexpr int accounts_at_once = 50, ties_at_a_time = 500, domains_at_once = 250, people_at_once = 50;
constexpr std::chrono::milliseconds turn_of_severing{8};
// Each of those whom our people follow again gets a Follow, a hundred each second on average.
constexpr std::size_t follows_of_chunk = 100;
constexpr std::int64_t ms_a_follow = 10, ms_a_second = 1000;

void go_on(db::Write& db, const ListGoesOn& from) { db.emit(from); }

// Where the steps of a chunk, when they are done, have the next one begin.
template <class Chunk>
std::optional<ListGoesOn> after(const Chunk& chunk) {
    return chunk.is_last ? std::nullopt : std::optional(chunk.reached);
}

// ---- marks: accounts become what the rules say now ----

struct AccountsOfServer {
    std::string server;
    std::vector<AccountId> accounts;
    ListGoesOn done;  // when these are
};

struct AccountsChunk {
    std::vector<AccountsOfServer> all;
    ListGoesOn reached;
    bool is_last = false;
};

// All servers within the domain after the one where `at` is; false: there may be more than fit.
bool add_servers(db::Read& db, const std::string& domain, AccountsChunk& out, std::size_t& found) {
    auto& at = out.reached;
    while (auto server = accounts::next_domain_within(db, domain, at.server)) {
        for (bool more = true; more;) {
            auto ids = accounts::accounts_of_server(db, *server, at.after, accounts_at_once);
            more = std::ssize(ids) == accounts_at_once;
            if (more) at.after = ids.back();
            else at.server = *server, at.after = {};
            found += ids.size();
            if (!ids.empty()) out.all.push_back({*server, std::move(ids), at});
            if (found >= accounts_of_chunk) return false;
        }
    }
    return true;
}

AccountsChunk accounts_chunk(db::Read& db, const ListGoesOn& e) {
    AccountsChunk out{{}, e, false};
    std::size_t found = 0;
    const auto domains = instance::domains_of_list(db, e.batch, e.domain, domains_at_once);
    for (const auto& domain : domains) {
        if (!add_servers(db, domain, out, found)) return out;
        out.reached.domain = domain;
        out.reached.server.clear();
    }
    out.is_last = std::ssize(domains) < domains_at_once;
    return out;
}

// Of some servers, those of which rules say the same together.
void mark(
    db::Write& db, const ListGoesOn& e, std::span<const AccountsOfServer> some, ListCounts& counts,
    media::SuspensionsChanged& left
) {
    std::vector<std::string> servers, suspended;
    for (const auto& one : some) servers.push_back(one.server);
    const auto limits = instance::limits_on(db, servers);
    std::map<std::pair<bool, bool>, std::vector<AccountId>> alike;
    for (std::size_t i = 0; i < some.size(); ++i) {
        auto& ids = alike[{limits[i].suspended, limits[i].silenced}];
        ids.insert(ids.end(), some[i].accounts.begin(), some[i].accounts.end());
        if (limits[i].suspended) suspended.push_back(some[i].server);
    }
    for (const auto& [which, ids] : alike) {
        instance::DomainLimit limit;
        std::tie(limit.suspended, limit.silenced) = which;
        const auto limited = accounts::limit_accounts(db, ids, limit);
        counts.accounts += limited.changed;
        if (limited.suspensions) left.accounts.insert(left.accounts.end(), ids.begin(), ids.end());
    }
    if (e.step == ListStep::marking) relationships::note_list_servers(db, e.batch, suspended);
}

// As many as go into one statement, from the front.
std::span<const AccountsOfServer> some_of(std::span<const AccountsOfServer> all) {
    std::size_t servers = 0;
    for (std::size_t found = 0; servers < all.size() && found < marked_at_once; ++servers)
        found += all[servers].accounts.size();
    return all.first(servers);
}

jobs::Change mark_some(db::Read& db, const ListGoesOn& e) {
    const auto chunk = std::make_shared<const AccountsChunk>(accounts_chunk(db, e));
    const Step step = [e, chunk, done = std::size_t{0}](db::Write& db) mutable -> std::optional<ListGoesOn> {
        if (!is_at(db, e)) return std::nullopt;
        const jobs::Turn turn;
        const std::span all(chunk->all);
        ListCounts counts;
        media::SuspensionsChanged changed;
        while (done < all.size()) {
            const auto some = some_of(all.subspan(done));
            mark(db, e, some, counts, changed);
            done += some.size();
            if (turn.over()) break;
        }
        if (!changed.accounts.empty()) db.emit(changed);
        if (e.step == ListStep::marking) count_list(db, e.batch, counts);
        if (done < all.size()) return all[done - 1].done;
        if (chunk->is_last)
            begin_step(db, e.batch, e.step == ListStep::marking ? ListStep::collecting : ListStep::restoring);
        return std::nullopt;
    };
    return jobs::Stepwise(step, after(*chunk));
}

// ---- who here has to do with them ----

struct PeopleChunk {
    std::set<AccountId> people;
    ListGoesOn reached;
    bool is_last = false;
};

PeopleChunk people_chunk(db::Read& db, const ListGoesOn& e) {
    PeopleChunk out{{}, e, false};
    auto& at = out.reached;
    std::size_t walked = 0;
    std::vector<AccountId> there;
    auto find = [&] {
        if (there.empty()) return;
        for (auto id : relationships::people_tied_to(db, e.batch, there)) out.people.insert(id);
        there.clear();
    };
    const auto servers = relationships::servers_of_list(db, e.batch, at.server, domains_at_once);
    for (const auto& server : servers) {
        for (bool more = true; more;) {
            const auto ids = accounts::accounts_of_server(db, server, at.after, accounts_at_once);
            more = std::ssize(ids) == accounts_at_once;
            if (more) at.after = ids.back();
            else at.server = server, at.after = {};
            there.insert(there.end(), ids.begin(), ids.end());
            walked += ids.size();
            const bool enough = walked >= walked_of_chunk;
            if (there.size() >= tied_at_once || enough) find();
            if (enough || out.people.size() >= people_of_chunk) return find(), out;
        }
    }
    find();
    out.is_last = std::ssize(servers) < domains_at_once;
    return out;
}

jobs::Change collect_some(db::Read& db, const ListGoesOn& e) {
    const auto found = people_chunk(db, e);
    const Step step =
        [e,
         people = std::make_shared<const std::vector<AccountId>>(found.people.begin(), found.people.end()),
         is_last = found.is_last,
         noted = std::size_t{0}](db::Write& db) mutable -> std::optional<ListGoesOn> {
        if (!is_at(db, e)) return std::nullopt;
        const jobs::Turn turn;
        while (noted < people->size()) {
            relationships::note_list_person(db, e.batch, (*people)[noted++]);
            // If the job starts again, it finds the people who are not recorded yet.
            if (noted % 25 == 0 && turn.over() && noted < people->size()) return e;
        }
        if (is_last) begin_step(db, e.batch, ListStep::severing);
        return std::nullopt;
    };
    return jobs::Stepwise(step, after(found));
}

// ---- their follows end ----

struct TiesChunk {
    std::vector<relationships::ListTie> all;
    ListGoesOn reached;
    bool is_last = false;
};

// All ties of the person after the one where `at` is; false: there may be more than fit.
bool add_ties(db::Read& db, const ListPerson& person, TiesChunk& out) {
    auto& at = out.reached;
    for (; at.kind <= static_cast<std::int64_t>(TieKind::asked); ++at.kind, at.tie = 0) {
        for (bool more = true; more;) {
            const auto ties = relationships::ties_of_person(
                db, at.batch, person, static_cast<TieKind>(at.kind), at.tie, ties_at_a_time
            );
            more = std::ssize(ties) == ties_at_a_time;
            if (ties.empty()) break;
            at.tie = ties.back().id.value;
            out.all.insert(out.all.end(), ties.begin(), ties.end());
            if (out.all.size() >= ties_of_chunk) return false;
        }
    }
    return true;
}

TiesChunk ties_chunk(db::Read& db, const ListGoesOn& e) {
    TiesChunk out{{}, e, false};
    for (bool more = true; more;) {
        const auto people = relationships::people_of_list(db, e.batch, out.reached.person, people_at_once);
        more = std::ssize(people) == people_at_once;
        for (const auto& person : people) {
            out.reached.person = person.account;
            if (!add_ties(db, person, out)) return out;
            out.reached.person.value += 1;
            out.reached.kind = out.reached.tie = 0;
        }
    }
    out.is_last = true;
    return out;
}

jobs::Change sever_some(db::Read& db, const ListGoesOn& e) {
    auto found = ties_chunk(db, e);
    relationships::put_in_order(found.all);
    const auto chunk = std::make_shared<const TiesChunk>(std::move(found));
    const Step step = [e, chunk, done = std::size_t{0}](db::Write& db) mutable -> std::optional<ListGoesOn> {
        if (!is_at(db, e)) return std::nullopt;
        const jobs::Turn turn(turn_of_severing);
        const std::span all(chunk->all);
        relationships::TiesEnded ended;
        while (done < all.size()) {
            const auto some = relationships::next_ties(all.subspan(done));
            relationships::sever(db, e.batch, some, ended);
            done += some.size();
            if (turn.over()) break;
        }
        const auto [following, followers] = relationships::conclude(db, list_batch(db, e.batch).name, ended);
        count_list(db, e.batch, {0, following, followers, 0});
        // If the job starts again, it finds the follows that are left.
        if (done < all.size()) return e;
        if (chunk->is_last) begin_step(db, e.batch, ListStep::telling);
        return std::nullopt;
    };
    return jobs::Stepwise(step, after(*chunk));
}

// ---- each is told once ----

jobs::Change tell_some(db::Read& db, const ListGoesOn& e) {
    return [e, people = relationships::losers_of_list(db, e.batch, e.person, people_at_once)](db::Write& db) {
        if (!is_at(db, e)) return;
        const jobs::Turn turn;
        auto next = e;
        for (const auto& one : people) {
            db.emit(relationships::Severed{one.severance, one.account});
            next.person = one.account;
            if (turn.over()) break;
        }
        if (people.empty()) begin_step(db, e.batch, ListStep::applied);
        else go_on(db, next);
    };
}

// ---- undone: whom our people followed is asked again ----

struct FollowsChunk {
    struct One {
        ListPerson person;
        AccountId there;
    };
    std::vector<One> all;
    ListGoesOn reached;
    bool is_last = false;
};

FollowsChunk follows_chunk(db::Read& db, const ListGoesOn& e) {
    FollowsChunk out{{}, e, false};
    auto& at = out.reached;
    const auto people = relationships::people_of_list(db, e.batch, e.person, people_at_once);
    for (const auto& person : people) {
        if (person.account != at.person) at.after = {};
        at.person = person.account;
        const auto room = static_cast<int>(follows_of_chunk - out.all.size());
        const auto found = relationships::severed_by_list(db, person.severance, at.after, room);
        for (auto there : found) out.all.push_back({person, there});
        if (std::ssize(found) == room) {
            at.after = found.back();
            return out;
        }
        at.person.value += 1;
        at.after = {};
    }
    out.is_last = std::ssize(people) < people_at_once;
    return out;
}

jobs::Change restore_some(db::Read& db, const ListGoesOn& e) {
    const auto wait = e.not_before - db.now().ms;
    if (wait >= ms_a_second) throw jobs::Reschedule(wait / ms_a_second);
    return [e, chunk = follows_chunk(db, e)](db::Write& db) {
        if (!is_at(db, e)) return;
        const jobs::Turn turn;
        ListCounts counts;
        auto next = chunk.reached;
        auto not_before = std::max(e.not_before, db.now().ms);
        bool all = true;
        for (const auto& one : chunk.all) {
            counts.restored += relationships::follow_again(db, one.person, one.there);
            not_before += ms_a_follow;
            if (!turn.over() || &one == &chunk.all.back()) continue;
            next.person = one.person.account;
            next.after = one.there;
            all = false;
            break;
        }
        count_list(db, e.batch, counts);
        if (all && chunk.is_last) return begin_step(db, e.batch, ListStep::undone);
        next.not_before = not_before;
        go_on(db, next);
    };
}

}  // namespace

jobs::Change go_through_list(db::Read& db, const ListGoesOn& e) {
    if (!is_at(db, e)) return {};
    switch (e.step) {
        case ListStep::applying: return put_in_force(db, e);
        case ListStep::lifting: return lift(db, e);
        case ListStep::marking:
        case ListStep::unmarking: return mark_some(db, e);
        case ListStep::collecting: return collect_some(db, e);
        case ListStep::severing: return sever_some(db, e);
        case ListStep::telling: return tell_some(db, e);
        case ListStep::restoring: return restore_some(db, e);
        case ListStep::applied:
        case ListStep::undone: break;
    }
    return {};
}

}  // namespace moderation
