// SPDX-License-Identifier: AGPL-3.0-or-later
// Cases and notes, as the team works with them.
#include "base/json_read.hpp"
#include "base/text/host.hpp"
#include "http/route.hpp"
#include "social/moderation/cases/case.hpp"
#include "social/moderation/cases/note.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct CaseEntity {
    CaseId id;
    bool open = true;
    std::int64_t score = 0;
    std::optional<AdminAccount> account;
    std::optional<AccountId> claimed_by_id;
    std::optional<Time> claimed_until, snoozed_until;
    bool escalated = false;
    std::int64_t reports_count = 0;
    std::vector<std::string> categories;
    Time opened_at, updated_at;
    std::optional<Time> closed_at;
    std::optional<AccountId> closed_by_id;
};
DESCRIBE(
    CaseEntity, id, open, score, account, claimed_by_id, claimed_until, snoozed_until, escalated,
    reports_count, categories, opened_at, updated_at, closed_at, closed_by_id
)

std::vector<CaseEntity> shown(db::Read& db, const std::vector<Case>& found) {
    std::vector<AccountId> people;
    for (const auto& one : found) people.push_back(one.account_id);
    auto known = admin_accounts(db, people);
    std::vector<CaseEntity> out;
    for (const auto& one : found) {
        CaseEntity entity{one.id, one.open, one.score};
        for (const auto& account : known)
            if (account.id == one.account_id) entity.account = account;
        if (auto by = one.claimant(db.now())) {
            entity.claimed_by_id = by;
            entity.claimed_until = one.claimed_until;
        }
        if (one.snoozed_until > db.now()) entity.snoozed_until = one.snoozed_until;
        entity.escalated = one.escalated;
        entity.reports_count = one.reports;
        entity.categories = base::json::read<std::vector<std::string>>(one.categories);
        entity.opened_at = one.opened_at;
        entity.updated_at = one.updated_at;
        entity.closed_at = one.closed_at;
        if (one.closed_by) entity.closed_by_id = one.closed_by;
        out.push_back(std::move(entity));
    }
    return out;
}

struct ListForm {
    CaseQueue queue = CaseQueue::waiting;
    std::optional<std::int64_t> max_id;
    http::Limit<20, 40> limit;
};
DESCRIBE(ListForm, queue, max_id, limit)

http::Page<CaseEntity> list(db::Read& db, const Viewer& me, const ListForm& form) {
    auto found = cases(db, form.queue, me.account, CaseId{form.max_id.value_or(0)}, form.limit.value);
    http::Page<CaseEntity> out{shown(db, found), {}};
    if (found.size() == static_cast<std::size_t>(form.limit.value) && !found.empty())
        out.cursors.next = found.back().id.value;
    return out;
}

struct ByCase {
    CaseId id;
};
DESCRIBE(ByCase, id)

struct WholeCase {
    CaseEntity summary;
    CaseScore points;
    std::vector<AdminReport> reports;
    std::vector<Note> notes;
};
DESCRIBE(WholeCase, summary, points, reports, notes)

WholeCase show(db::Read& db, const Viewer& me, const ByCase& path) {
    auto one = find_case(db, path.id);
    return {
        shown(db, {one})[0],
        score_of(db, one),
        entities(db, reports_of(db, one), me.account),
        notes(db, NoteKind::case_, std::to_string(one.id.value))
    };
}

template <void (*F)(db::Write&, const accounts::Actor&, CaseId)>
void change(db::Write& db, const Viewer& me, const ByCase& path) {
    F(db, accounts::actor(db, me.account), path.id);
}

template <bool Escalated>
void set_escalated(db::Write& db, const Viewer& me, const ByCase& path) {
    escalate(db, accounts::actor(db, me.account), path.id, Escalated);
}

struct SnoozeForm {
    CaseId id;
    std::int64_t hours = 24;
};
DESCRIBE(SnoozeForm, id, hours)

void put_off(db::Write& db, const Viewer& me, const SnoozeForm& form) {
    snooze(db, accounts::actor(db, me.account), form.id, form.hours);
}

struct ActForm {
    CaseId id;
    std::string type;
    std::optional<std::int64_t> warning_preset_id;
    std::string text;
    bool send_email_notification = true;
};
DESCRIBE(ActForm, id, type, warning_preset_id, text, send_email_notification)

void act_on_it(db::Write& db, const Viewer& me, const ActForm& form) {
    AccountAction action;
    find_case(db, form.id);
    action.type = action_named(form.type);
    if (form.warning_preset_id) action.preset = PresetId{*form.warning_preset_id};
    action.text = form.text;
    action.tell = form.send_email_notification;
    act_on(db, accounts::actor(db, me.account), form.id, action);
}

// ---- notes ----

struct NoteForm {
    std::string text;
};
DESCRIBE(NoteForm, text)
struct ByAccount {
    AccountId id;
};
DESCRIBE(ByAccount, id)
struct ByServer {
    std::string domain;
};
DESCRIBE(ByServer, domain)
struct ByNote {
    NoteId id;
};
DESCRIBE(ByNote, id)

std::string subject(db::Read& db, const ByCase& path) {
    return std::to_string(find_case(db, path.id).id.value);
}
std::string subject(db::Read& db, const ByAccount& path) {
    if (name_of(db, path.id).empty()) throw base::NotFound();
    return std::to_string(path.id.value);
}
std::string subject(db::Read&, const ByServer& path) {
    auto domain = base::text::normalized_domain(path.domain);
    if (!domain) throw base::NotFound();
    return *domain;
}

template <class Path, NoteKind Kind>
std::vector<Note> list_notes(db::Read& db, const Viewer&, const Path& path) {
    return notes(db, Kind, subject(db, path));
}

// Answers all of them, as one would list them.
template <class Path, NoteKind Kind>
void write_note(db::Write& db, const Viewer& me, const Path& path, const NoteForm& form) {
    add_note(db, accounts::actor(db, me.account), Kind, subject(db, path), form.text);
}

void delete_note_of(db::Write& db, const Viewer& me, const ByNote& path) {
    remove_note(db, accounts::actor(db, me.account), path.id);
}

constexpr auto of_case = list_notes<ByCase, NoteKind::case_>;
constexpr auto of_account = list_notes<ByAccount, NoteKind::account>;
constexpr auto of_server = list_notes<ByServer, NoteKind::server>;
constexpr auto on_case = write_note<ByCase, NoteKind::case_>;
constexpr auto on_account = write_note<ByAccount, NoteKind::account>;
constexpr auto on_server = write_note<ByServer, NoteKind::server>;

// clang-format off
constexpr http::Route table[] = {
    http::get<list>                       ("/api/dunlin/v1/moderation/cases",                 "admin:read:reports"),
    http::get<show>                       ("/api/dunlin/v1/moderation/cases/:id",             "admin:read:reports"),
    http::post<change<claim>, show>       ("/api/dunlin/v1/moderation/cases/:id/claim",       "admin:write:reports"),
    http::post<change<release>, show>     ("/api/dunlin/v1/moderation/cases/:id/release",     "admin:write:reports"),
    http::post<set_escalated<true>, show> ("/api/dunlin/v1/moderation/cases/:id/escalate",    "admin:write:reports"),
    http::post<set_escalated<false>, show>("/api/dunlin/v1/moderation/cases/:id/deescalate",  "admin:write:reports"),
    http::post<put_off, show>             ("/api/dunlin/v1/moderation/cases/:id/snooze",      "admin:write:reports"),
    http::post<act_on_it, show>           ("/api/dunlin/v1/moderation/cases/:id/act",         "admin:write:reports"),
    http::post<change<close>, show>       ("/api/dunlin/v1/moderation/cases/:id/close",       "admin:write:reports"),
    http::get<of_case>                    ("/api/dunlin/v1/moderation/cases/:id/notes",       "admin:read:reports"),
    http::post<on_case, of_case>          ("/api/dunlin/v1/moderation/cases/:id/notes",       "admin:write:reports"),
    http::get<of_account>                 ("/api/dunlin/v1/moderation/accounts/:id/notes",    "admin:read:accounts"),
    http::post<on_account, of_account>    ("/api/dunlin/v1/moderation/accounts/:id/notes",    "admin:write:accounts"),
    http::get<of_server>                  ("/api/dunlin/v1/moderation/servers/:domain/notes", "admin:read:domain_blocks"),
    http::post<on_server, of_server>      ("/api/dunlin/v1/moderation/servers/:domain/notes", "admin:write:domain_blocks"),
    http::del<delete_note_of>             ("/api/dunlin/v1/moderation/notes/:id",             "admin:write"),
};
// clang-format on

}  // namespace

std::span<const http::Route> case_routes() { return table; }

}  // namespace moderation
