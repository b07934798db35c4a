// SPDX-License-Identifier: AGPL-3.0-or-later
// Cases: all open reports on one account, taken by one of the team and brought to an end.
#include "social/moderation/cases/case.hpp"
#include "social/moderation/cases/note.hpp"
#include "social/pages/staff/acting.hpp"

namespace pages {
namespace {

using moderation::Case, moderation::CaseId, moderation::CaseQueue, moderation::NoteKind;

constexpr int a_page = 20;
const std::string cases_path = address_of(cases_part);

std::string path_of(CaseId id) { return cases_path + "/" + std::to_string(id.value); }

struct QueueName {
    CaseQueue queue;
    std::string_view name;
};
constexpr QueueName queues[] = {
    {CaseQueue::waiting, "Waiting"},
    {CaseQueue::mine, "Mine"},
    {CaseQueue::escalated, "Somebody else has to decide"},
    {CaseQueue::snoozed, "Put off"},
    {CaseQueue::closed, "Resolved"},
};

std::string handle_in(const std::map<base::AccountId, std::string>& known, base::AccountId id) {
    auto found = known.find(id);
    return found == known.end() ? "?" : "@" + found->second;
}

// ---- the list ----

struct ListForm {
    CaseQueue queue = CaseQueue::waiting;
    std::optional<std::int64_t> max_id;
};
DESCRIBE(ListForm, queue, max_id)

std::vector<Row> rows_of(db::Read& db, const std::vector<Case>& found) {
    std::vector<base::AccountId> people;
    for (const auto& one : found) {
        people.push_back(one.account_id);
        if (auto by = one.claimant(db.now())) people.push_back(by);
    }
    auto known = handles(db, people);
    std::vector<Row> out;
    for (const auto& one : found) {
        Row row{handle_in(known, one.account_id), path_of(one.id)};
        for (auto word : base::json::read<std::vector<std::string>>(one.categories))
            for (auto category :
                 {moderation::Category::spam,
                  moderation::Category::legal,
                  moderation::Category::violation,
                  moderation::Category::other})
                if (base::word(category) == word) row.states.push_back(moderation::name(category));
        if (one.escalated) row.states.push_back("Somebody else has to decide");
        row.hint = day_of(one.opened_at);
        row.facts.push_back({"Reports", std::to_string(one.reports)});
        if (auto by = one.claimant(db.now())) row.facts.push_back({"Taken by", handle_in(known, by)});
        out.push_back(std::move(row));
    }
    return out;
}

http::Response list(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, cases_part.any_of);
    if (who.answer()) return *who.answer();
    auto found =
        moderation::cases(db, form.queue, who.actor.account, CaseId{form.max_id.value_or(0)}, a_page);
    Panel ways;
    ways.rows.emplace();
    for (const auto& one : queues) {
        Row row{{}, cases_path + "?queue=" + std::string(base::word(one.queue))};
        row.said = one.name;
        if (one.queue == form.queue) row.states.push_back("Shown");
        ways.rows->push_back(std::move(row));
    }
    Panel cases;
    cases.rows = rows_of(db, found);
    cases.title = "The most urgent first";
    if (std::ssize(found) == a_page)
        cases.older = cases_path + "?queue=" + std::string(base::word(form.queue)) +
                      "&max_id=" + std::to_string(found.back().id.value);
    return sheet(db, request, who, cases_part, "Cases", {cases, ways});
}

// ---- one ----

Panel facts_of(db::Read& db, const Member& who, const Case& one, const moderation::AdminAccount* target) {
    auto by = one.claimant(db.now());
    auto known = handles(db, {one.account_id, by, one.closed_by});
    Panel out;
    out.facts.push_back({"Who was reported", handle_in(known, one.account_id)});
    if (target && target->suspended) out.facts.push_back({"State", {}, "Suspended"});
    out.facts.push_back({"Reports", std::to_string(one.reports)});
    auto points = moderation::score_of(db, one);
    out.facts.push_back({"How much it matters", std::to_string(points.sum())});
    if (points.sum() > points.category) {
        auto part = [&](std::string_view what, std::int64_t value) {
            if (value > 0) out.facts.push_back({what, std::to_string(value)});
        };
        part("Of that for what was reported", points.category);
        part("Of that for how many reported it", points.reporters);
        part("Of that for how many follow the account", points.reach);
    }
    if (by) out.facts.push_back({"Taken by", handle_in(known, by)});
    if (one.snoozed_until > db.now()) out.facts.push_back({"Put off", minute_of(one.snoozed_until)});
    out.facts.push_back({"When", minute_of(one.opened_at)});
    if (one.closed_at) out.facts.push_back({"Resolved", minute_of(*one.closed_at)});
    if (who.actor.may(accounts_part.any_of))
        out.link = {account_page(one.account_id), "The account, as the team sees it"};
    if (!one.open) return out;
    auto where = path_of(one.id);
    if (by == who.actor.account) out.forms.push_back({where + "/release", "Give it back", {}, {}, "quiet"});
    else out.forms.push_back({where + "/claim", "I take it", {}, {}, "quiet"});
    out.forms.push_back({where + "/close", "Resolved, nothing to do", {}, {}, "quiet"});
    out.forms.push_back(
        {where + "/snooze",
         one.snoozed_until > db.now() ? "No longer put off" : "Put off until tomorrow",
         {},
         {{"hours", one.snoozed_until > db.now() ? "0" : "24"}},
         "quiet"}
    );
    out.forms.push_back(
        {where + (one.escalated ? "/deescalate" : "/escalate"),
         one.escalated ? "It needs nobody else" : "Somebody else has to decide",
         {},
         {},
         "quiet"}
    );
    return out;
}

Panel reports_in(const std::vector<moderation::AdminReport>& reports) {
    Panel out{"What was reported"};
    out.rows.emplace();
    for (const auto& report : reports) {
        Row row{
            "#" + std::to_string(report.id.value),
            address_of(reports_part) + "/" + std::to_string(report.id.value)
        };
        row.states.push_back(moderation::name(report.category));
        if (report.action_taken) row.states.push_back("Resolved");
        if (report.account)
            row.facts.push_back(
                {"Reported by", "@" + base::json::read<ShownAuthor>(report.account->account.text).acct}
            );
        row.hint = minute_of(report.created_at);
        row.words = report.comment;
        out.rows->push_back(std::move(row));
        for (auto& post : base::json::read<std::vector<Shown>>(report.statuses.text))
            if (std::ranges::find(out.posts, post.id, &Shown::id) == out.posts.end())
                out.posts.push_back(std::move(post));
    }
    return out;
}

Panel notes_of(db::Read& db, const Case& one, const std::string& given) {
    Panel out{"Notes of the team"};
    auto notes = moderation::notes(db, NoteKind::case_, std::to_string(one.id.value));
    std::vector<base::AccountId> authors;
    for (const auto& note : notes) authors.push_back(note.author_id);
    auto known = handles(db, authors);
    out.rows.emplace();
    for (const auto& note : notes) {
        Row row{handle_in(known, note.author_id)};
        row.hint = minute_of(note.created_at);
        row.words = note.text;
        out.rows->push_back(std::move(row));
    }
    out.forms.push_back(
        {path_of(one.id) + "/notes",
         "Write it down",
         {{Field::Kind::area, "note", "A note for the team", given, true}},
         {},
         "quiet"}
    );
    return out;
}

http::Response case_page(
    db::Read& db, const http::Request& request, const Member& who, CaseId id, const ActForm& given,
    const std::string& note, std::string_view problem = {}
) {
    auto one = moderation::find_case(db, id);
    auto known = moderation::admin_accounts(db, {one.account_id});
    std::optional<moderation::AdminAccount> target;
    if (!known.empty()) target = std::move(known[0]);
    std::vector<Panel> panels{facts_of(db, who, one, target ? &*target : nullptr)};
    panels.push_back(reports_in(moderation::entities(db, moderation::reports_of(db, one), who.actor.account))
    );
    Panel acts{"What to do about the account"};
    const bool posts = !panels.back().posts.empty();
    auto form = one.open ? act_form(db, who, target, given, path_of(id), posts) : std::nullopt;
    if (form) acts.forms.push_back(*std::move(form));
    else if (one.open) acts.hint = "You cannot act on this account: it stands above you, or is gone.";
    if (one.open) panels.push_back(std::move(acts));
    panels.push_back(notes_of(db, one, note));
    return sheet(db, request, who, cases_part, "A case", panels, problem);
}

http::Response look(db::Read& db, const http::Request& request, const One<CaseId>& path) {
    auto who = member(db, request, cases_part.any_of);
    return who.answer() ? *who.answer() : case_page(db, request, who, path.id, {}, {});
}

// Runs a change and goes back to the case; what is refused is said there, also that somebody else has it.
template <class Change>
http::Response change(
    db::Write& db, const http::Request& request, CaseId id, std::string_view token, std::string_view what,
    const ActForm& given, const std::string& note, const Change& act
) {
    auto who = member(db, request, cases_part.any_of, token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return case_page(db, request, who, id, given, note, why); };
    try {
        return tried(path_of(id), what, refused, [&] { act(who.actor); });
    } catch (const base::Conflict&) {
        return refused("Somebody else has taken it.");
    }
}

template <void (*F)(db::Write&, const accounts::Actor&, CaseId), const char* What>
http::Response simple(db::Write& db, const http::Request& request, const One<CaseId>& form) {
    return change(db, request, form.id, form.authenticity_token, What, {}, {}, [&](const auto& actor) {
        F(db, actor, form.id);
    });
}

void escalate(db::Write& db, const accounts::Actor& who, CaseId id) {
    moderation::escalate(db, who, id, true);
}
void deescalate(db::Write& db, const accounts::Actor& who, CaseId id) {
    moderation::escalate(db, who, id, false);
}

struct SnoozeForm {
    CaseId id;
    std::int64_t hours = 24;
    std::string authenticity_token;
};
DESCRIBE(SnoozeForm, id, hours, authenticity_token)

http::Response snooze(db::Write& db, const http::Request& request, const SnoozeForm& form) {
    return change(db, request, form.id, form.authenticity_token, saved, {}, {}, [&](const auto& actor) {
        moderation::snooze(db, actor, form.id, form.hours);
    });
}

struct NoteForm {
    CaseId id;
    std::string note, authenticity_token;
};
DESCRIBE(NoteForm, id, note, authenticity_token)

http::Response write_note(db::Write& db, const http::Request& request, const NoteForm& form) {
    return change(
        db,
        request,
        form.id,
        form.authenticity_token,
        "noted",
        {},
        form.note,
        [&](const auto& actor) {
            auto one = moderation::find_case(db, form.id);
            moderation::add_note(db, actor, NoteKind::case_, std::to_string(one.id.value), form.note);
        }
    );
}

struct ById {
    CaseId id;
};
DESCRIBE(ById, id)

http::Response act(db::Write& db, const http::Request& request, const ById& path, const ActForm& form) {
    return change(db, request, path.id, form.authenticity_token, "acted", form, {}, [&](const auto& actor) {
        if (auto posts = posts_action_of(form))
            moderation::act_on_posts(db, actor, path.id, *std::move(posts));
        else moderation::act_on(db, actor, path.id, action_of(form));
    });
}

constexpr char assigned[] = "case_taken", unassigned[] = "case_given_back", resolved[] = "case_resolved";

// clang-format off
constexpr http::Route table[] = {
    http::get<list>                                   ("/settings/moderation/cases"),
    http::get<look>                                   ("/settings/moderation/cases/:id"),
    http::post<simple<moderation::claim, assigned>>   ("/settings/moderation/cases/:id/claim"),
    http::post<simple<moderation::release, unassigned>>("/settings/moderation/cases/:id/release"),
    http::post<simple<moderation::close, resolved>>   ("/settings/moderation/cases/:id/close"),
    http::post<simple<escalate, saved>>               ("/settings/moderation/cases/:id/escalate"),
    http::post<simple<deescalate, saved>>             ("/settings/moderation/cases/:id/deescalate"),
    http::post<snooze>                                ("/settings/moderation/cases/:id/snooze"),
    http::post<write_note>                            ("/settings/moderation/cases/:id/notes"),
    http::post<act>                                   ("/settings/moderation/cases/:id/act"),
};
// clang-format on

}  // namespace

std::span<const http::Route> case_pages() { return table; }

}  // namespace pages
