// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts as the team finds them, one of them with all that is known of it, and what is done about it.
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/moderation/account_list.hpp"
#include "social/moderation/cases/note.hpp"
#include "social/moderation/labels/label_act.hpp"
#include "social/pages/staff/acting.hpp"

#include <algorithm>

namespace pages {
namespace {

using base::AccountId, instance::View;
using moderation::AccountOrigin, moderation::AccountState, moderation::AdminAccount, moderation::AppealState;

const std::string accounts_path = address_of(accounts_part);

// ---- the list ----

constexpr int a_page = 40;

struct ListForm {
    std::string origin, state, name, email, ip, domain;
    std::optional<std::int64_t> max_id;
};
DESCRIBE(ListForm, origin, state, name, email, ip, domain, max_id)

// Nothing for a word that there is not: all are shown then.
template <base::DescribedEnum E>
std::optional<E> named(std::string_view word) {
    std::optional<E> out;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto one) {
        if (base::word(one.value) == word) out = one.value;
    });
    return out;
}

// `name`: with a server, of an account elsewhere; without, of whoever is called so.
moderation::AccountFilter filter_of(const ListForm& form) {
    moderation::AccountFilter out;
    out.origin = named<AccountOrigin>(form.origin);
    out.state = named<AccountState>(form.state);
    std::string_view name = form.name;
    if (name.starts_with('@')) name.remove_prefix(1);
    auto at = name.find('@');
    out.username = name.substr(0, at);
    out.by_domain = form.domain;
    if (at != name.npos) out.by_domain = name.substr(at + 1);
    out.email = form.email;
    out.ip = form.ip;
    return out;
}

struct Choice {
    std::string_view word, name;
};
constexpr Choice origins[] = {{"local", "Of this server"}, {"remote", "Of other servers"}, {"", "All"}};
constexpr Choice states[] = {
    {"", "All"},
    {"active", "Active"},
    {"pending", "Waiting"},
    {"silenced", "Limited"},
    {"sensitized", "Media are sensitive"},
    {"disabled", "Frozen"},
    {"suspended", "Suspended"}
};

void add_choices(View& view, std::string_view section, std::span<const Choice> all, std::string_view chosen) {
    for (const auto& one : all)
        view.add(section).set("WORD", one.word).say("NAME", one.name).show_if(one.word == chosen, "CHOSEN");
}

std::string query_of(const ListForm& form) {
    std::string out = "?";
    auto put = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) out += std::string(name) + "=" + http::percent_encoded(value) + "&";
    };
    put("origin", form.origin);
    put("state", form.state);
    put("name", form.name);
    put("email", form.email);
    put("ip", form.ip);
    put("domain", form.domain);
    return out;
}

http::Response list(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, accounts_part.any_of);
    if (who.answer()) return *who.answer();
    base::Range range;
    range.limit = a_page;
    if (form.max_id) range.below = *form.max_id;
    auto ids = moderation::find_accounts(db, filter_of(form), range);
    View view;
    view.set("NAMED", form.name).set("EMAIL", form.email).set("IP", form.ip).set("OF", form.domain);
    add_choices(view, "ORIGIN", origins, form.origin);
    add_choices(view, "STATE_CHOICE", states, form.state);
    view.show_if(ids.empty(), "NONE");
    for (const auto& one : moderation::admin_accounts(db, ids)) {
        auto& row = view.add("ACCOUNT");
        set_person(row, one);
        row.set("PAGE", account_page(one.id)).set("DAY", day_of(one.created_at));
        if (one.email) row.add("LOGIN").set("ADDRESS", *one.email);
        row.show_if(one.approved == false, "WAITING");
    }
    if (ids.size() == a_page)
        view.add("OLDER").set(
            "URL", accounts_path + query_of(form) + "max_id=" + std::to_string(ids.back().value)
        );
    return staff_page(db, request, who, &accounts_part, "staff_accounts", "Accounts", {}, std::move(view));
}

// ---- one ----

struct ById {
    AccountId id;
    std::string authenticity_token;
};
DESCRIBE(ById, id, authenticity_token)

void add_login(View& view, const AdminAccount& one) {
    if (one.domain) return;
    auto& login = view.add("LOGIN").set("ADDRESS", one.email.value_or(""));
    login.show_if(!one.confirmed.value_or(false), "UNCONFIRMED");
    if (one.role && !one.role->name.empty()) login.add("ROLE").set("NAME", one.role->name);
    constexpr std::size_t most = 10;
    auto ips = one.ips.value_or(std::vector<moderation::AdminIp>());
    for (std::size_t i = 0; i < std::min(ips.size(), most); ++i)
        login.add("FROM").set("IP", ips[i].ip).set("DAY", day_of(ips[i].used_at));
    if (one.invite_request && !one.invite_request->empty())
        login.add("REASON").set("TEXT", *one.invite_request);
}

std::map<moderation::StrikeId, AppealState> appeals_by_strike(
    db::Read& db, const std::vector<moderation::Strike>& strikes
) {
    std::vector<moderation::StrikeId> ids;
    for (const auto& strike : strikes) ids.push_back(strike.id);
    std::map<moderation::StrikeId, AppealState> out;
    for (const auto& appeal : moderation::appeals_of(db, ids)) out.emplace(appeal.strike_id, appeal.state);
    return out;
}

std::string_view section_of(AppealState state) {
    switch (state) {
        case AppealState::pending: return "APPEAL_WAITS";
        case AppealState::approved: return "APPEAL_APPROVED";
        case AppealState::rejected: break;
    }
    return "APPEAL_REJECTED";
}

void add_history(db::Read& db, View& view, const AdminAccount& one) {
    auto notes = moderation::notes(db, moderation::NoteKind::account, std::to_string(one.id.value));
    std::vector<AccountId> authors;
    for (const auto& note : notes) authors.push_back(note.author_id);
    auto names = handles(db, authors);
    for (const auto& note : notes)
        view.add("NOTE")
            .set("TEXT", note.text)
            .set("BY", names[note.author_id])
            .set("DAY", minute_of(note.created_at));
    base::Range latest;
    latest.limit = 20;
    const auto strikes = moderation::strikes_of(db, one.id, latest);
    const auto appealed = appeals_by_strike(db, strikes);
    for (const auto& strike : strikes) {
        auto& shown = view.add("STRIKE");
        shown.say("WHAT", name_of(strike.action))
            .set("TEXT", strike.text)
            .set("DAY", day_of(strike.created_at));
        const auto appeal = appealed.find(strike.id);
        if (appeal != appealed.end()) shown.add(section_of(appeal->second));
        else shown.show_if(strike.overruled_at.has_value(), "OVERRULED");
    }
}

// Those it bears, and those that it may get.
void add_labels(db::Read& db, View& view, AccountId id) {
    const auto all = labels::all_labels(db);
    if (all.empty()) return;
    const auto borne = labels::labels_on(db, labels::Bearer::of(id));
    auto& shown = view.add("LABELS");
    View* form = nullptr;
    for (const auto& one : all) {
        const bool bears = std::ranges::find(borne, one.id) != borne.end();
        if (!bears && !form) form = &shown.add("PUT_FORM");
        auto& row = bears ? shown.add("LABEL") : form->add("LABEL_CHOICE");
        row.set("LABEL_ID", std::to_string(one.id.value)).set("NAME", one.name);
    }
}

// Roles that who is here may give.
void add_roles(db::Read& db, View& view, const Member& who, const AdminAccount& one) {
    bool may = who.actor.may(accounts::permission::manage_roles) && !one.domain &&
               accounts::stands_above(db, who.actor, one.id);
    if (!may) return;
    auto& form = view.add("ROLE_FORM");
    for (const auto& role : accounts::roles(db)) {
        bool everybody = role.id == accounts::everyone;
        if (!everybody && role.position >= who.actor.position && !who.actor.is_administrator()) continue;
        auto& choice = form.add("ROLE_CHOICE").set("ID", std::to_string(role.id.value));
        if (everybody) choice.say("NAME", "No role");
        else choice.set("NAME", role.name);
        choice.show_if(one.role && one.role->id == role.id, "CHOSEN");
    }
}

http::Response account_page_of(
    db::Read& db, const http::Request& request, const Member& who, AccountId id, const ActForm& given,
    std::string_view problem = {}
) {
    auto one = moderation::admin_account(db, id);
    View view;
    set_person(view, one);
    auto handle = one.username + (one.domain ? "@" + *one.domain : "");
    view.set("ID", std::to_string(id.value)).set("DAY", day_of(one.created_at));
    add_login(view, one);
    if (who.actor.may(reports_part.any_of))
        view.add("REPORTS").set(
            "URL", address_of(reports_part) + "?state=all&about=" + http::percent_encoded(handle)
        );
    if (who.actor.may(audit_part.any_of))
        view.add("LOGGED").set("URL", address_of(audit_part) + "?about=" + std::to_string(id.value));
    add_history(db, view, one);
    add_labels(db, view, id);
    add_roles(db, view, who, one);
    add_acts(db, view, who, one, given, account_page(id), ActsOn::account);
    return staff_page(
        db, request, who, &accounts_part, "staff_account", "An account", problem, std::move(view)
    );
}

http::Response look(db::Read& db, const http::Request& request, const ById& path) {
    auto who = member(db, request, accounts_part.any_of);
    if (who.answer()) return *who.answer();
    return account_page_of(db, request, who, path.id, {});
}

http::Response act(db::Write& db, const http::Request& request, const ById& path, const ActForm& form) {
    auto who = member(db, request, accounts_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::AccountAction wanted;
    try {
        wanted = action_of(form);
    } catch (const base::Invalid& refused) {
        return account_page_of(db, request, who, path.id, form, sentence_of(refused));
    }
    moderation::act(db, who.actor, path.id, wanted);
    return done(account_page(path.id), "acted");
}

template <void (*F)(db::Write&, const accounts::Actor&, AccountId)>
http::Response undo(db::Write& db, const http::Request& request, const ById& form) {
    auto who = member(db, request, accounts_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    F(db, who.actor, form.id);
    return done(account_page(form.id), "undone");
}

struct NoteForm {
    std::string text;
};
DESCRIBE(NoteForm, text)

http::Response note(db::Write& db, const http::Request& request, const ById& path, const NoteForm& form) {
    auto who = member(db, request, accounts_part.any_of, path.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::admin_account(db, path.id);
    try {
        moderation::add_note(
            db, who.actor, moderation::NoteKind::account, std::to_string(path.id.value), form.text
        );
    } catch (const base::Invalid& refused) {
        return account_page_of(db, request, who, path.id, {}, sentence_of(refused));
    }
    return done(account_page(path.id), "noted");
}

struct LabelForm {
    std::int64_t label = 0;
};
DESCRIBE(LabelForm, label)

using LabelAct = void (*)(db::Write&, const accounts::Actor&, labels::LabelId, const labels::Bearer&);

template <LabelAct F>
http::Response change_label(
    db::Write& db, const http::Request& request, const ById& path, const LabelForm& form
) {
    auto who = member(db, request, accounts_part.any_of, path.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::admin_account(db, path.id);
    try {
        F(db, who.actor, labels::LabelId{form.label}, labels::Bearer::of(path.id));
    } catch (const base::Invalid& refused) {
        return account_page_of(db, request, who, path.id, {}, sentence_of(refused));
    }
    return done(account_page(path.id), F == moderation::put_label ? "added" : "removed");
}

struct RoleForm {
    std::int64_t role = 0;
};
DESCRIBE(RoleForm, role)

http::Response give(db::Write& db, const http::Request& request, const ById& path, const RoleForm& form) {
    auto who = member(db, request, accounts::permission::manage_roles, path.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::admin_account(db, path.id);
    try {
        moderation::give_role(db, who.actor, path.id, {form.role});
    } catch (const base::Invalid& refused) {
        return account_page_of(db, request, who, path.id, {}, sentence_of(refused));
    }
    return done(account_page(path.id), "role_given");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list>                         ("/settings/moderation/accounts"),
    http::get<look>                         ("/settings/moderation/accounts/:id"),
    http::post<act>                         ("/settings/moderation/accounts/:id/act"),
    http::post<note>                        ("/settings/moderation/accounts/:id/note"),
    http::post<give>                        ("/settings/moderation/accounts/:id/role"),
    http::post<change_label<moderation::put_label>>("/settings/moderation/accounts/:id/labels"),
    http::post<change_label<moderation::take_label>>("/settings/moderation/accounts/:id/labels/remove"),
    http::post<undo<moderation::unsuspend>> ("/settings/moderation/accounts/:id/unsuspend"),
    http::post<undo<moderation::unsilence>> ("/settings/moderation/accounts/:id/unsilence"),
    http::post<undo<moderation::unsensitive>>("/settings/moderation/accounts/:id/unsensitive"),
    http::post<undo<moderation::enable>>    ("/settings/moderation/accounts/:id/enable"),
};
// clang-format on

}  // namespace

std::span<const http::Route> staff_account_pages() { return table; }

}  // namespace pages
