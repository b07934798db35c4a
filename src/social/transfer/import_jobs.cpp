// SPDX-License-Identifier: AGPL-3.0-or-later
// Going through the lines of an import, and ending what the file does not name.
#include "base/json.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/discovery/search.hpp"
#include "social/lists/list.hpp"
#include "social/relationships/domain_block.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/relationships/relationship.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/interactions/status_lists.hpp"
#include "social/statuses/remote/remote.hpp"
#include "social/transfer/import.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace transfer {

namespace {

using base::StatusId;

// One turn does a little and lets others have theirs; a job may ask five times.
constexpr std::size_t lines_of_turn = 10;
constexpr int questions_of_turn = 4;
// A server that is busy is waited for, not one that has been away for long.
constexpr std::int64_t longest_wait = 120, patience = 86'400;

bool has_accounts(Kind kind) { return kind != Kind::domain_blocking && kind != Kind::bookmarks; }

std::string without_own_host(const base::Site& site, const std::string& address) {
    auto at = address.rfind('@');
    if (at == address.npos) return address;
    auto host = base::text::normalized_domain(address.substr(at + 1));
    return host == site.domain ? address.substr(0, at) : address;
}

// Finds out who or what the lines of one turn mean.
class Meaning {
public:
    Meaning(const base::Ask& ask, db::Read& db, const Import& import) : ask_(ask), db_(db), import_(import) {}

    // False: enough was asked in this turn.
    bool find(Line& line) {
        if (import_.kind == Kind::domain_blocking || line.found != 0) return true;
        line.found = has_accounts(import_.kind) ? account(line.what) : status(line.what);
        if (line.found != 0) return true;
        if (!elsewhere(line.what)) return line.problem = unknown(), true;
        if (asked_ == questions_of_turn) return false;
        ++asked_;
        accounts::Resolve question{line.what};
        question.bulk = true;
        const auto& answer = ask_(question);
        line.found = has_accounts(import_.kind) ? answer.account.value : answer.status.value;
        if (line.found != 0) return true;
        const bool for_now = answer.resolution == accounts::Resolution::failed;
        if (for_now && answer.busy_for > 0 && answer.busy_for <= longest_wait && is_young())
            throw jobs::Reschedule(answer.busy_for);
        line.problem = for_now ? "Its server does not answer" : unknown();
        return true;
    }

private:
    std::string unknown() const {
        return has_accounts(import_.kind) ? "There is no such account" : "There is no such post";
    }
    bool is_young() const { return db_.now() < import_.created_at.plus_seconds(patience); }
    bool elsewhere(const std::string& what) const {
        if (has_accounts(import_.kind)) return accounts::is_handle_elsewhere(db_.site(), what);
        return what.starts_with("https://") && what.size() <= 2048 &&
               !what.starts_with(db_.site().public_url + "/");
    }
    std::int64_t account(const std::string& what) const {
        auto found = accounts::find_by_acct(db_, without_own_host(db_.site(), what));
        return found ? found->id.value : 0;
    }
    std::int64_t status(const std::string& what) const {
        if (auto here = discovery::resolve_local(db_, what).status) return here.value;
        auto known = statuses::find_by_uri(db_, what);
        return known ? known->value : 0;
    }

    const base::Ask& ask_;
    db::Read& db_;
    const Import& import_;
    int asked_ = 0;
};

void put_into_list(db::Write& db, AccountId me, AccountId member, const std::string& title) {
    lists::ListId list;
    for (const auto& one : lists::lists_of(db, me))
        if (one.title == title) list = one.id;
    for (const auto& one : lists::lists_with(db, me, member))
        if (one.id == list) return;
    auto pair = relationships::pair_state(db, me, member);
    if (me != member && !pair.following && !pair.requested) relationships::follow(db, me, member, {});
    if (!list) list = lists::create(db, me, {title, {}, {}});
    lists::add_members(db, me, list, {member});
}

// As the person could by hand. The rules refuse before they write.
void apply(db::Write& db, const Import& import, const Line& line) {
    const auto me = import.account_id;
    const AccountId account{line.found};
    switch (import.kind) {
        case Kind::following:
            relationships::follow(db, me, account, {line.reblogs, line.notify, line.languages});
            break;
        case Kind::lists: put_into_list(db, me, account, line.list); break;
        case Kind::muting: relationships::mute(db, me, account, line.hide_notifications, 0); break;
        case Kind::blocking: relationships::block(db, me, account); break;
        case Kind::domain_blocking: relationships::block_domain(db, me, line.what); break;
        case Kind::bookmarks: statuses::bookmark(db, me, StatusId{line.found}); break;
    }
}

}  // namespace

const db::Command save_import_chunk{
    "save_import_chunk",
    "UPDATE import_chunks SET lines = $3, failed = $4 WHERE import_id = $1 AND number = $2"
};
const db::Command count_lines{
    "count_lines", "UPDATE imports SET done = done + $2, failed = failed + $3 WHERE id = $1"
};

jobs::Change go_through_import(const base::Ask& ask, db::Read& db, const ImportGoesOn& e) {
    const auto import = find_import(db, e.import);
    if (!import || import->state != ImportState::running) return {};
    if (!accounts::may_write(db, import->account_id))
        return [id = e.import](db::Write& db) { end_import(db, id, ImportState::stopped); };
    auto lines = chunk_of(db, e.import, e.chunk);
    const auto begin = static_cast<std::size_t>(e.line);
    auto end = begin;
    Meaning meaning(ask, db, *import);
    while (end < std::min(begin + lines_of_turn, lines.size()) && meaning.find(lines[end])) ++end;
    return [e, begin, end, lines = std::move(lines)](db::Write& db) mutable {
        const auto import = find_import(db, e.import);
        if (!import || import->state != ImportState::running) return;
        std::int64_t failed = 0;
        for (auto at = begin; at < end; ++at) {
            auto& line = lines[at];
            try {
                if (line.problem.empty()) apply(db, *import, line);
            } catch (const base::Unavailable&) {
                throw;
            } catch (const base::Error& refused) {
                line.problem = refused.what();
            }
            failed += !line.problem.empty();
        }
        const auto of_chunk =
            std::ranges::count_if(lines, [](const Line& line) { return !line.problem.empty(); });
        db.run(save_import_chunk, e.import, e.chunk, base::json::to_string(lines), of_chunk);
        db.run(count_lines, e.import, static_cast<std::int64_t>(end - begin), failed);
        const auto chunks = (import->total + static_cast<std::int64_t>(lines_of_chunk) - 1) /
                            static_cast<std::int64_t>(lines_of_chunk);
        if (end < lines.size()) db.emit(ImportGoesOn{e.import, e.chunk, static_cast<std::int64_t>(end)});
        else if (e.chunk + 1 < chunks) db.emit(ImportGoesOn{e.import, e.chunk + 1});
        else if (import->overwrite && import->failed + failed == import->total)
            end_import(db, e.import, ImportState::futile);
        else if (import->overwrite) db.emit(OverwritingGoesOn{e.import, base::Range{}.below});
        else end_import(db, e.import, ImportState::ended);
    };
}

namespace {

// What the file names: what was found, and the words of what was not.
struct Named {
    std::set<std::int64_t> found;
    std::set<std::string> words;
};

Named named_by(db::Read& db, const Import& import) {
    Named out;
    for (const auto& line : all_lines(db, import.id)) {
        if (line.found != 0) out.found.insert(line.found);
        auto domain =
            import.kind == Kind::domain_blocking ? base::text::normalized_domain(line.what) : std::nullopt;
        out.words.insert(domain.value_or(base::text::ascii_lowered(line.what)));
    }
    return out;
}

using Step = std::function<void(db::Write&)>;

struct Steps {
    std::vector<Step> all;
    std::optional<std::int64_t> next;  // below which is more
};

constexpr int compared_at_once = 50;

template <class Rows, class F>
Steps steps_of(const Rows& rows, F&& step) {
    Steps out;
    for (const auto& row : rows)
        if (Step wanted = step(row)) out.all.push_back(std::move(wanted));
    if (std::ssize(rows) == compared_at_once) out.next = rows.back().cursor;
    return out;
}

Steps unwanted_people(db::Read& db, const Import& import, const Named& named, const base::Range& page) {
    const auto me = import.account_id;
    auto kept = [&](AccountId id) {
        if (named.found.contains(id.value)) return true;
        auto account = accounts::find_account(db, id);
        if (!account) return true;
        const auto host = account->local() ? db.site().domain : account->domain;
        return named.words.contains(base::text::ascii_lowered(account->username + "@" + host));
    };
    auto ending = [&](void (*end)(db::Write&, AccountId, AccountId)) {
        return [&kept, me, end](const auto& row) -> Step {
            if (kept(row.account)) return {};
            return [me, end, id = row.account](db::Write& db) { end(db, me, id); };
        };
    };
    if (import.kind == Kind::following)
        return steps_of(relationships::following(db, me, me, page), ending(relationships::unfollow));
    if (import.kind == Kind::muting)
        return steps_of(relationships::mutes(db, me, page), ending(relationships::unmute));
    return steps_of(relationships::blocks(db, me, page), ending(relationships::unblock));
}

// One list at a time, of those that the file names.
Steps unwanted_members(db::Read& db, const Import& import, const base::Range& page) {
    const auto me = import.account_id;
    Steps out;
    auto all = lists::lists_of(db, me);
    std::erase_if(all, [&](const auto& one) { return one.id.value >= page.below; });
    if (all.empty()) return out;
    const auto list = *std::ranges::max_element(all, {}, &lists::List::id);
    out.next = list.id.value;
    std::set<std::int64_t> members;
    bool whole = true;
    for (const auto& line : all_lines(db, import.id)) {
        if (line.list != list.title) continue;
        members.insert(line.found);
        whole = whole && line.problem.empty();
    }
    if (members.empty() || !whole) return out;  // who was not found may be among them
    base::Range everybody;
    everybody.limit = 5000;
    std::vector<AccountId> others;
    for (auto id : lists::members(db, list.id, everybody))
        if (!members.contains(id.value)) others.push_back(id);
    if (!others.empty())
        out.all.push_back([me, id = list.id, others](db::Write& db) {
            lists::remove_members(db, me, id, others);
        });
    return out;
}

Steps unwanted(db::Read& db, const Import& import, std::int64_t below) {
    base::Range page;
    page.below = below;
    page.limit = compared_at_once;
    if (import.kind == Kind::lists) return unwanted_members(db, import, page);
    const auto named = named_by(db, import);
    const auto me = import.account_id;
    if (import.kind == Kind::domain_blocking)
        return steps_of(relationships::domain_blocks(db, me, page), [&](const auto& row) -> Step {
            if (named.words.contains(row.domain)) return {};
            return
                [me, domain = row.domain](db::Write& db) { relationships::unblock_domain(db, me, domain); };
        });
    if (import.kind == Kind::bookmarks)
        return steps_of(statuses::bookmarks(db, me, page), [&](const auto& row) -> Step {
            if (named.found.contains(row.status.value)) return {};
            return [me, id = row.status](db::Write& db) { statuses::unbookmark(db, me, id); };
        });
    return unwanted_people(db, import, named, page);
}

}  // namespace

jobs::Change overwrite_rest(db::Read& db, const OverwritingGoesOn& e) {
    const auto import = find_import(db, e.import);
    if (!import || import->state != ImportState::running) return {};
    auto steps = unwanted(db, *import, e.below);
    return [e, steps = std::move(steps)](db::Write& db) {
        const auto import = find_import(db, e.import);
        if (!import || import->state != ImportState::running) return;
        for (const auto& step : steps.all) {
            try {
                step(db);
            } catch (const base::NotFound&) {  // gone meanwhile
            }
        }
        if (steps.next) db.emit(OverwritingGoesOn{e.import, *steps.next});
        else end_import(db, e.import, ImportState::ended);
    };
}

}  // namespace transfer
