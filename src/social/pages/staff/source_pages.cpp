// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers that are subscribed to: what they suggest, what that would end, and what becomes of it. What takes time is found
// out by a reader; a form that the writer refuses is answered by a page that needs none.
#include "social/pages/staff/source_panels.hpp"

namespace pages {
namespace {

using Domains = std::vector<std::string>;

constexpr std::string_view title = "A subscribed list", acted = "acted";

Panel making_group(db::Read& db, SourceGiven given) {
    Panel out{"Make a group", "What enough of its lists say of a server counts as one list."};
    given.kind = moderation::SourceKind::group;
    out.forms.push_back(grouping(db, given));
    return out;
}

http::Response index(db::Read& db, const http::Request& request) {
    auto who = member(db, request, lists_part.any_of);
    if (who.answer()) return *who.answer();
    Panel all;
    all.hint = "They are read every day, and suggest or apply what they say, as far as the team lets them.";
    all.rows.emplace();
    const auto all_sources = moderation::list_sources(db);
    const moderation::RulesNow now(db);
    for (const auto& one : all_sources) all.rows->push_back(source_row(db, now, one));
    Panel adding{"Subscribe"};
    adding.forms.push_back(subscribing({}));
    std::vector<Panel> panels{std::move(all), std::move(adding)};
    if (all_sources.size() > 1) panels.push_back(making_group(db, {}));
    return sheet(db, request, who, lists_part, "Subscribed lists", panels);
}

http::Response add(db::Write& db, const http::Request& request, const SourceGiven& given) {
    auto who = member(db, request, lists_part.any_of, given.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) {
        if (given.kind == moderation::SourceKind::group)
            return sheet(db, request, who, lists_part, "Subscribed lists", {making_group(db, given)}, why);
        Panel again;
        again.forms.push_back(subscribing(given));
        return sheet(db, request, who, lists_part, "Subscribe", {again}, why);
    };
    return tried(sources_path, "list_read", refused, [&] {
        moderation::add_list_source(db, who.actor, form_of(given));
    });
}

// ---- one of them ----

struct ById {
    ListSourceId id;
    std::string authenticity_token;
};
DESCRIBE(ById, id, authenticity_token)

http::Response show(db::Read& db, const http::Request& request, const ById& path) {
    auto who = member(db, request, lists_part.any_of);
    if (who.answer()) return *who.answer();
    const auto source = moderation::list_source(db, path.id);
    const auto standing = moderation::standing_of(db, source);
    std::vector<Panel> panels{state_panel(db, source)};
    if (source.role == moderation::SourceRole::block)
        panels.push_back(
            suggestions(source, moderation::preview_source(db, standing), moderation::AcceptedDomains(db))
        );
    auto add_unless_empty = [&](Panel panel) {
        if (!panel.rows->empty()) panels.push_back(std::move(panel));
    };
    add_unless_empty(taken_back(source, standing));
    add_unless_empty(others(db, source));
    add_unless_empty(brought(db, source));
    panels.push_back(change_panel(db, source, given_of(db, source)));
    Panel end;
    end.link = {path_of(source.id) + "/end", "Unsubscribe"};
    panels.push_back(std::move(end));
    return sheet(db, request, who, lists_part, title, panels);
}

// What a form is answered that is refused: by the sentence, and the way back.
http::Response refused_page(
    db::Read& db, const http::Request& request, const Member& who, ListSourceId id, std::string_view why
) {
    Panel back;
    back.link = {path_of(id), "What it suggests"};
    return sheet(db, request, who, lists_part, title, {back}, why);
}

// ---- what is done about one ----

template <class Form, class Change>
http::Response change_by(
    db::Write& db, const http::Request& request, const Form& form, std::string_view what, const Change& change
) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return refused_page(db, request, who, form.id, why); };
    return tried(path_of(form.id), what, refused, [&] { change(who.actor); });
}

// What a reader found, or the answer instead.
template <class Found>
struct Looked {
    std::optional<http::Response> answer;
    Found found;
};

template <class Form, class Look>
auto look_at(db::Read& db, const http::Request& request, const Form& form, const Look& look)
    -> Looked<decltype(look(moderation::list_source(db, form.id)))> {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return {who.answer(), {}};
    try {
        return {{}, look(moderation::list_source(db, form.id))};
    } catch (const base::Invalid& refused) {
        return {refused_page(db, request, who, form.id, sentence_of(refused)), {}};
    }
}

struct ChangeForm {
    ListSourceId id;
};
DESCRIBE(ChangeForm, id)

// Another priority may let a stricter list decide: what that would end is shown before it is saved.
std::optional<http::Response> show_ranking(
    db::Read& db, const http::Request& request, const ChangeForm& path, const SourceGiven& given
) {
    auto who = member(db, request, lists_part.any_of, given.authenticity_token);
    if (who.answer()) return who.answer();
    const auto source = moderation::list_source(db, path.id);
    const bool can_be = given.priority >= 0 && given.priority <= moderation::highest_priority;
    if (given.seen || given.priority == source.priority || !can_be) return std::nullopt;
    auto preview = moderation::preview_priority(db, source, given.priority);
    if (preview.domains.empty()) return std::nullopt;
    Panel sum;
    sum.facts = {
        {"Priority", std::to_string(source.priority) + " → " + std::to_string(given.priority)},
        {"Servers", std::to_string(preview.domains.size())},
        {"Accounts", std::to_string(preview.accounts)},
        {"Follows that end", std::to_string(preview.following + preview.followers)},
        {"People here who lose some", std::to_string(preview.people)}
    };
    sum.forms = {confirming(source, given)};
    std::vector<Panel> panels{std::move(sum)};
    for (auto& panel : panels_of(std::move(preview))) panels.push_back(std::move(panel));
    return sheet(db, request, who, lists_part, "What the priority would change", panels);
}

http::Response change(
    db::Write& db, const http::Request& request, const ChangeForm& path, const SourceGiven& given,
    const std::optional<http::Response>& shown
) {
    if (shown) return *shown;
    auto who = member(db, request, lists_part.any_of, given.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) {
        const auto source = moderation::list_source(db, path.id);
        return sheet(db, request, who, lists_part, title, {change_panel(db, source, given)}, why);
    };
    return tried(path_of(path.id), saved, refused, [&] {
        moderation::change_list_source(db, who.actor, path.id, form_of(given));
    });
}

http::Response sync(db::Write& db, const http::Request& request, const ById& form) {
    return change_by(db, request, form, "list_read", [&](const auto& who) {
        moderation::read_list_source_now(db, who, form.id);
    });
}

using Stood = Looked<moderation::Standing>;

Stood stand(db::Read& db, const http::Request& request, const ById& form) {
    return look_at(db, request, form, [&](const ListSource& one) {
        return moderation::standing_of(db, one);
    });
}

http::Response accept(db::Write& db, const http::Request& request, const ById& form, const Stood& now) {
    if (now.answer) return *now.answer;
    return change_by(db, request, form, acted, [&](const auto& who) {
        moderation::accept_source(db, who, form.id, now.found);
    });
}

// Some of what it says, or all that it suggests.
struct Chosen {
    ListSourceId id;
    Domains domains;
    bool all = false;
    std::string authenticity_token;
};
DESCRIBE(Chosen, id, domains, all, authenticity_token)

void check(const Chosen& form) {
    if (!form.all && form.domains.empty()) throw base::Invalid("At least one domain must be named");
}

http::Response look_at_chosen(db::Read& db, const http::Request& request, const Chosen& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    const auto source = moderation::list_source(db, form.id);
    try {
        check(form);
        auto preview = moderation::preview_source(db, moderation::standing_of(db, source), form.domains);
        Panel sum;
        sum.facts = facts_of(preview);
        std::vector<Hidden> domains;
        for (const auto& one : form.domains) domains.push_back({"domains[]", one});
        sum.forms = {
            button(path_of(form.id) + "/apply", "Apply the list", domains, "button"),
            button(path_of(form.id) + "/dismiss", "Suggest it no more", domains)
        };
        std::vector<Panel> panels{std::move(sum)};
        for (auto& panel : panels_of(std::move(preview))) panels.push_back(std::move(panel));
        return sheet(db, request, who, lists_part, "What the list would do", panels);
    } catch (const base::Invalid& refused) {
        return refused_page(db, request, who, form.id, sentence_of(refused));
    }
}

using Prepared = Looked<moderation::PreparedSource>;

Prepared prepare(db::Read& db, const http::Request& request, const Chosen& form) {
    return look_at(db, request, form, [&](const ListSource& one) {
        check(form);
        return moderation::prepare_source(db, one, form.all ? Domains() : form.domains);
    });
}

http::Response apply(
    db::Write& db, const http::Request& request, const Chosen& form, const Prepared& prepared
) {
    if (prepared.answer) return *prepared.answer;
    return change_by(db, request, form, "list_applied", [&](const auto& who) {
        moderation::apply_source(db, who, form.id, prepared.found, false);
    });
}

struct Decided {
    moderation::Standing standing;
    Domains all;
};
using Deciding = Looked<Decided>;

Deciding decide(db::Read& db, const http::Request& request, const Chosen& form) {
    return look_at(db, request, form, [&](const ListSource& one) {
        check(form);
        Decided out;
        out.standing = moderation::standing_of(db, one);
        if (form.all) out.all = moderation::suggested_domains(moderation::RulesNow(db), out.standing);
        return out;
    });
}

http::Response dismiss(db::Write& db, const http::Request& request, const Chosen& form, const Deciding& now) {
    if (now.answer) return *now.answer;
    return change_by(db, request, form, acted, [&](const auto& who) {
        if (form.all) moderation::dismiss_all(db, who, form.id, now.found.all);
        else moderation::dismiss_advice(db, who, form.id, form.domains, now.found.standing);
    });
}

http::Response lift(db::Write& db, const http::Request& request, const Chosen& form, const Deciding& now) {
    if (now.answer) return *now.answer;
    return change_by(db, request, form, acted, [&](const auto& who) {
        moderation::lift_withdrawn(db, who, form.id, form.domains, now.found.standing);
    });
}

struct OtherForm {
    ListSourceId id;
    std::string key, authenticity_token;
};
DESCRIBE(OtherForm, id, key, authenticity_token)
using Found = Looked<moderation::Advice>;

Found find(db::Read& db, const http::Request& request, const OtherForm& form) {
    return look_at(db, request, form, [&](const ListSource& one) {
        return moderation::advice_about(db, one.id, form.key);
    });
}

http::Response act(db::Write& db, const http::Request& request, const OtherForm& form, const Found& advice) {
    if (advice.answer) return *advice.answer;
    return change_by(db, request, form, acted, [&](const auto& who) {
        moderation::act_on_advice(db, who, form.id, advice.found);
    });
}

// ---- its end ----

http::Response show_end(db::Read& db, const http::Request& request, const ById& path) {
    auto who = member(db, request, lists_part.any_of);
    if (who.answer()) return *who.answer();
    const auto source = moderation::list_source(db, path.id);
    const auto ending = moderation::ending_of_source(db, path.id);
    Panel out;
    out.hint =
        "What it brought stays, unless it is lifted. Follows that ended come back only where the list is "
        "taken back within 30 days.";
    out.facts = {
        {"Name", source.name},
        {"Rules that would be lifted", std::to_string(ending.removed)},
        {"Rules that others say, too", std::to_string(ending.kept)}
    };
    out.forms = {
        button(path_of(source.id) + "/end", "Unsubscribe", {}, "button"),
        button(path_of(source.id) + "/end", "Unsubscribe, and lift its rules", {{"lift", "true"}}, "negative")
    };
    return sheet(db, request, who, lists_part, title, {out, brought(db, source)});
}

struct EndForm {
    ListSourceId id;
    bool lift = false;
    std::string authenticity_token;
};
DESCRIBE(EndForm, id, lift, authenticity_token)

http::Response end(db::Write& db, const http::Request& request, const EndForm& form) {
    auto who = member(db, request, lists_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return refused_page(db, request, who, form.id, why); };
    return tried(sources_path, removed, refused, [&] {
        moderation::remove_list_source(db, who.actor, form.id, form.lift);
    });
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>            ("/settings/moderation/sources"),
    http::post<add>             ("/settings/moderation/sources"),
    http::get<show>             ("/settings/moderation/sources/:id"),
    http::post<show_ranking, change>("/settings/moderation/sources/:id"),
    http::post<sync>            ("/settings/moderation/sources/:id/sync"),
    http::post<stand, accept>   ("/settings/moderation/sources/:id/accept"),
    http::post<look_at_chosen>  ("/settings/moderation/sources/:id/chosen"),
    http::post<prepare, apply>  ("/settings/moderation/sources/:id/apply"),
    http::post<decide, dismiss> ("/settings/moderation/sources/:id/dismiss"),
    http::post<decide, lift>    ("/settings/moderation/sources/:id/lift"),
    http::post<find, act>       ("/settings/moderation/sources/:id/act"),
    http::get<show_end>         ("/settings/moderation/sources/:id/end"),
    http::post<end>             ("/settings/moderation/sources/:id/end"),
};
// clang-format on

}  // namespace

std::span<const http::Route> source_pages() { return table; }

}  // namespace pages
