// SPDX-License-Identifier: AGPL-3.0-or-later
// What a list means for who is there. A chunk is found on a reader; the writer does as much of it as it has time for and
// notes how far it came, in the job row that it leaves. Whatever is killed in between begins where the last commit ended.
#include "jobs/turn.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/relationships/list_severing.hpp"

#include <algorithm>
#include <set>

namespace moderation {

namespace {

using relationships::ListPerson, relationships::TieKind;

// About as much as the writer has time for: what is found beyond that is found again.
constexpr std::size_t accounts_of_chunk = 500, people_of_chunk = 1000, ties_of_chunk = 250;
constexpr int accounts_at_once = 50, ties_at_once = 25, domains_at_once = 250, people_at_once = 50;
// Each of those whom our people follow again gets a Follow, a hundred each second on average.
constexpr std::size_t follows_of_chunk = 100;
constexpr std::int64_t ms_a_follow = 10, ms_a_second = 1000;

void go_on(db::Write& db, const ListGoesOn& from) { db.emit(from); }

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

void mark(db::Write& db, const ListGoesOn& e, const AccountsChunk& chunk) {
    const jobs::Turn turn;
    ListCounts counts;
    for (const auto& one : chunk.all) {
        const auto limit = instance::limit_on(db, one.server);
        const auto changed = accounts::limit_accounts(db, one.accounts, limit);
        if (e.step == ListStep::marking) {
            counts.accounts += changed;
            if (limit.suspended) relationships::note_list_server(db, e.batch, one.server);
        }
        if (turn.over() && &one != &chunk.all.back()) {
            count_list(db, e.batch, counts);
            return go_on(db, one.done);
        }
    }
    count_list(db, e.batch, counts);
    if (!chunk.is_last) return go_on(db, chunk.reached);
    begin_step(db, e.batch, e.step == ListStep::marking ? ListStep::collecting : ListStep::restoring);
}

jobs::Change mark_some(db::Read& db, const ListGoesOn& e) {
    return [e, chunk = accounts_chunk(db, e)](db::Write& db) {
        if (is_at(db, e)) mark(db, e, chunk);
    };
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
    const auto servers = relationships::servers_of_list(db, e.batch, at.server, domains_at_once);
    for (const auto& server : servers) {
        for (bool more = true; more;) {
            const auto ids = accounts::accounts_of_server(db, server, at.after, accounts_at_once);
            more = std::ssize(ids) == accounts_at_once;
            if (more) at.after = ids.back();
            else at.server = server, at.after = {};
            for (auto id : relationships::people_tied_to(db, e.batch, ids)) out.people.insert(id);
            walked += ids.size();
            if (walked >= accounts_of_chunk || out.people.size() >= people_of_chunk) return out;
        }
    }
    out.is_last = std::ssize(servers) < domains_at_once;
    return out;
}

jobs::Change collect_some(db::Read& db, const ListGoesOn& e) {
    return [e, chunk = people_chunk(db, e)](db::Write& db) {
        if (!is_at(db, e)) return;
        const jobs::Turn turn;
        std::size_t noted = 0;
        for (auto person : chunk.people) {
            relationships::note_list_person(db, e.batch, person);
            // The next one finds who is not noted yet.
            if (++noted % 25 == 0 && turn.over() && noted < chunk.people.size()) return go_on(db, e);
        }
        if (chunk.is_last) begin_step(db, e.batch, ListStep::severing);
        else go_on(db, chunk.reached);
    };
}

// ---- their follows end ----

struct TiesOfPerson {
    ListPerson person;
    TieKind kind = TieKind::following;
    std::vector<AccountId> there;
    ListGoesOn done;  // when these are
};

struct TiesChunk {
    std::vector<TiesOfPerson> all;
    ListGoesOn reached;
    bool is_last = false;
};

// All ties of the person after the one where `at` is; false: there may be more than fit.
bool add_ties(db::Read& db, const ListPerson& person, TiesChunk& out, std::size_t& found) {
    auto& at = out.reached;
    for (; at.kind <= static_cast<std::int64_t>(TieKind::asked); ++at.kind, at.tie = 0) {
        const auto kind = static_cast<TieKind>(at.kind);
        for (bool more = true; more;) {
            const auto ties =
                relationships::ties_of_person(db, at.batch, person.account, kind, at.tie, ties_at_once);
            more = std::ssize(ties) == ties_at_once;
            if (ties.empty()) break;
            at.tie = ties.back().id;
            TiesOfPerson some{person, kind, {}, at};
            for (const auto& tie : ties) some.there.push_back(tie.there);
            found += ties.size();
            out.all.push_back(std::move(some));
            if (found >= ties_of_chunk) return false;
        }
    }
    return true;
}

TiesChunk ties_chunk(db::Read& db, const ListGoesOn& e) {
    TiesChunk out{{}, e, false};
    std::size_t found = 0;
    const auto people = relationships::people_of_list(db, e.batch, e.person, people_at_once);
    for (const auto& person : people) {
        out.reached.person = person.account;
        if (!add_ties(db, person, out, found)) return out;
        out.reached.person.value += 1;
        out.reached.kind = out.reached.tie = 0;
    }
    out.is_last = std::ssize(people) < people_at_once;
    return out;
}

jobs::Change sever_some(db::Read& db, const ListGoesOn& e) {
    return [e, chunk = ties_chunk(db, e)](db::Write& db) {
        if (!is_at(db, e)) return;
        const jobs::Turn turn;
        const auto name = list_batch(db, e.batch).name;
        ListCounts counts;
        const ListGoesOn* next = chunk.is_last ? nullptr : &chunk.reached;
        for (const auto& one : chunk.all) {
            const auto ended = relationships::sever(db, one.person, name, one.kind, one.there);
            (one.kind == TieKind::following ? counts.following : counts.followers) += ended;
            if (!turn.over() || &one == &chunk.all.back()) continue;
            next = &one.done;
            break;
        }
        count_list(db, e.batch, counts);
        if (next) go_on(db, *next);
        else begin_step(db, e.batch, ListStep::telling);
    };
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
