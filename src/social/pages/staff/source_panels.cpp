// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/staff/source_panels.hpp"

#include <algorithm>
#include <functional>

namespace pages {

using moderation::AdviceAbout, moderation::AdviceState, moderation::Ceiling, moderation::Retractions,
    moderation::SourceHold, moderation::SourceKind, moderation::SourceMode, moderation::SourceRole;

namespace {

constexpr std::size_t lists_shown = 20;

std::string_view role_name(SourceRole role) {
    return role == SourceRole::block ? "It names servers to block or limit"
                                     : "It names servers that no list is to touch by itself";
}

std::string_view mode_name(SourceMode mode) {
    switch (mode) {
        case SourceMode::suggest: return "It only suggests";
        case SourceMode::apply: return "What costs nobody here a follow is applied by itself";
        case SourceMode::group: break;
    }
    return "It counts in its groups alone";
}

template <class Word>
Option option(Word word, std::string_view name) {
    return {std::string(base::word(word)), name};
}

std::vector<Field> trust_fields(const SourceGiven& given) {
    Field mode{Field::Kind::radios, "mode", "What holds", std::string(base::word(given.mode))};
    for (auto one : {SourceMode::suggest, SourceMode::apply, SourceMode::group})
        if (one != SourceMode::group || given.kind != SourceKind::group)
            mode.options.push_back(option(one, mode_name(one)));
    Field ceiling{
        Field::Kind::list, "ceiling", "As strict as its rules may be", std::string(base::word(given.ceiling))
    };
    ceiling.options = {option(Ceiling::suspend, "Blocked"), option(Ceiling::silence, "Limited")};
    Field retractions{
        Field::Kind::list, "retractions", "What it takes back", std::string(base::word(given.retractions))
    };
    retractions.options = {
        option(Retractions::ask, "Waits for the team"),
        option(Retractions::lift, "Holds no longer"),
        option(Retractions::keep, "Stays as a rule of our own")
    };
    return {
        {Field::Kind::line, "name", "What you call it", given.name, true, "Who loses somebody reads this name"
        },
        std::move(mode),
        std::move(ceiling),
        std::move(retractions),
        {Field::Kind::number,
         "priority",
         "Priority",
         std::to_string(given.priority),
         true,
         "Of lists that say different things of a server, those of the highest decide: from 0 to 100"}
    };
}

Field role_field(SourceRole chosen) {
    Field out{Field::Kind::radios, "role", "What it is for", std::string(base::word(chosen))};
    for (auto one : {SourceRole::block, SourceRole::allow})
        out.options.push_back(option(one, role_name(one)));
    return out;
}

// Who is in a group, and how many of them must agree.
std::vector<Field> agreement_fields(db::Read& db, const SourceGiven& given) {
    Field members{Field::Kind::boxes, "members[]", "Its lists"};
    for (const auto& one : moderation::list_sources(db)) {
        if (one.kind == SourceKind::group) continue;
        Option box{std::to_string(one.id.value), {}, one.name};
        box.chosen = std::ranges::find(given.members, one.id) != given.members.end();
        members.options.push_back(std::move(box));
    }
    return {
        std::move(members),
        {Field::Kind::number, "agree", "So many of them must agree", std::to_string(given.agree), true}
    };
}

const std::string_view of_group = base::word(SourceKind::group);

std::string_view state_of(const ListSource& one) {
    if (!one.problem.empty()) return "Trouble";
    if (!one.read_at) return "Not read yet";
    switch (one.hold) {
        case SourceHold::none: return "well";
        case SourceHold::first: return "Waits for the team";
        case SourceHold::grown: return "Waits for the team: it has grown much";
        case SourceHold::shrunk: break;
    }
    return "Waits for the team: it has shrunk much";
}

Fact agreement_or_address(db::Read& db, const ListSource& source) {
    if (source.kind != SourceKind::group) return {"Address", source.url};
    const auto members = moderation::member_ids(db, source.id).size();
    return {"So many of them must agree", std::to_string(source.agree) + " / " + std::to_string(members)};
}

std::string label_of(db::Read& db, labels::LabelId id) {
    for (const auto& one : labels::all_labels(db))
        if (one.id == id) return one.title;
    return "–";  // it was deleted
}

std::string last_read(const ListSource& one) { return one.read_at ? minute_of(*one.read_at) : "–"; }

Option box_of(const moderation::PreviewedDomain& one, const moderation::AcceptedDomains& accepted) {
    Option out{one.domain, {}, one.domain, name_of(one.severity)};
    out.facts = row_of(one).facts;
    if (accepted.touched_by(one.domain)) out.facts.push_back({"State", {}, "A list accepts it"});
    return out;
}

}  // namespace

std::string path_of(ListSourceId id) { return sources_path + "/" + std::to_string(id.value); }

SourceGiven given_of(db::Read& db, const ListSource& one) {
    SourceGiven out{
        one.name, one.url, {}, one.kind, one.role, one.mode, one.ceiling, one.retractions, one.agree, {}
    };
    out.members = moderation::member_ids(db, one.id);
    out.priority = one.priority;
    return out;
}

moderation::SourceForm form_of(const SourceGiven& given) {
    moderation::SourceForm out{
        given.name, given.url, given.kind, given.role, given.mode, given.ceiling, given.retractions, {}, {}
    };
    out.priority = given.priority;
    if (given.kind != SourceKind::group) return out;
    out.agree = given.agree;
    out.members = given.members;
    return out;
}

Form subscribing(const SourceGiven& given) {
    Field kind{Field::Kind::list, "kind", "What is there", std::string(base::word(given.kind))};
    kind.options = {
        option(SourceKind::fires, "A FIRES dataset"),
        option(SourceKind::list, "A file: CSV, JSON, or a domain in each line")
    };
    Form out{
        sources_path,
        "Subscribe",
        {{Field::Kind::line, "url", "Address", given.url, true, "Begins with https://"},
         std::move(kind),
         role_field(given.role)}
    };
    for (auto& field : trust_fields(given)) out.fields.push_back(std::move(field));
    return out;
}

Form grouping(db::Read& db, const SourceGiven& given) {
    Form out{sources_path, "Make a group", agreement_fields(db, given), {{"kind", std::string(of_group)}}};
    out.fields.push_back(role_field(given.role));
    for (auto& field : trust_fields(given)) out.fields.push_back(std::move(field));
    return out;
}

Row source_row(db::Read& db, const moderation::RulesNow& now, const ListSource& one) {
    const auto standing = moderation::standing_of(db, one);
    Row row{one.name, path_of(one.id)};
    row.states = {state_of(one)};
    if (one.kind == SourceKind::group) row.states.push_back("A group");
    row.facts = {
        {"Entries", std::to_string(one.entries)},
        {"Suggestions that wait", std::to_string(moderation::suggested_domains(now, standing).size())},
        {"Taken back by it", std::to_string(standing.gone.size())},
        {"Read last", last_read(one)}
    };
    row.words = one.problem;
    return row;
}

Form button(
    const std::string& action, std::string_view name, std::vector<Hidden> hidden, std::string_view look
) {
    return {action, name, {}, std::move(hidden), look};
}

Panel state_panel(db::Read& db, const ListSource& source) {
    Panel out;
    out.facts = {
        {"Name", source.name},
        agreement_or_address(db, source),
        {"What it is for", {}, role_name(source.role)},
        {"State", {}, state_of(source)},
        {"What holds", {}, mode_name(source.mode)},
        {"Priority", std::to_string(source.priority)},
        {"Entries", std::to_string(source.entries)},
        {"Not understood", std::to_string(source.refused)},
        {"Read last", last_read(source)},
        {"Read next", minute_of(source.next_at)}
    };
    if (source.label_id) out.facts.push_back({"Label", label_of(db, *source.label_id)});
    if (!source.problem.empty()) out.facts.push_back({"Trouble", source.problem});
    out.forms.push_back(button(path_of(source.id) + "/sync", "Read it now"));
    if (source.hold == SourceHold::none || !source.read_at) return out;
    out.hint = "Nothing is done by itself before the team has looked at it.";
    out.forms.push_back(button(path_of(source.id) + "/accept", "Go along with what it says now"));
    return out;
}

// Those that hurt come first.
Panel suggestions(
    const ListSource& source, moderation::ListPreview preview, const moderation::AcceptedDomains& accepted
) {
    Panel out{"What it suggests"};
    std::erase_if(preview.domains, [](const auto& one) {
        return one.fate != moderation::Fate::added && one.fate != moderation::Fate::joined;
    });
    if (preview.domains.empty()) {
        out.rows.emplace();
        return out;
    }
    out.facts = facts_of(preview);
    std::ranges::stable_sort(preview.domains, std::greater(), [](const auto& one) {
        return one.following + one.followers;
    });
    Field domains{Field::Kind::boxes, "domains[]", "Servers"};
    for (const auto& one : preview.domains)
        if (domains.options.size() < decided_at_once) domains.options.push_back(box_of(one, accepted));
    const auto path = path_of(source.id);
    out.forms = {
        {path + "/chosen", "Look at those that are ticked", {std::move(domains)}},
        button(path + "/apply", "Apply all that it suggests", {{"all", "true"}}),
        button(path + "/dismiss", "Suggest none of it any more", {{"all", "true"}}, "negative")
    };
    return out;
}

Panel taken_back(const ListSource& source, const moderation::Standing& standing) {
    Panel out{"What it takes back"};
    out.rows.emplace();
    for (const auto& one : standing.gone) {
        if (out.rows->size() == decided_at_once) break;
        Row row{one.rule.domain};
        row.states.push_back(name_of(one.rule.severity));
        for (const auto& [act, name] :
             {std::pair{"/lift", "Lift the rule"}, {"/dismiss", "Keep it as a rule of our own"}})
            row.forms.push_back(button(path_of(source.id) + act, name, {{"domains[]", one.rule.domain}}));
        out.rows->push_back(std::move(row));
    }
    return out;
}

Panel others(db::Read& db, const ListSource& source) {
    Panel out{"Accounts and mail providers"};
    out.rows.emplace();
    for (auto about : {AdviceAbout::actor, AdviceAbout::email_domain})
        for (auto& one :
             moderation::standing_advice(db, source, {about, AdviceState::suggested, {}, decided_at_once})) {
            Row row{one.key};
            row.states.push_back(about == AdviceAbout::actor ? "Account" : "Mail providers");
            row.words = one.comment;
            const auto path = path_of(source.id);
            row.forms = {
                button(path + "/act", "Do it", {{"key", one.key}}),
                button(path + "/dismiss", "Suggest it no more", {{"domains[]", one.key}})
            };
            out.rows->push_back(std::move(row));
        }
    return out;
}

Panel brought(db::Read& db, const ListSource& source) {
    Panel out{"Lists that it brought"};
    out.rows.emplace();
    for (const auto& one : moderation::lists_of_source(db, source.id, lists_shown))
        out.rows->push_back(row_of(one));
    return out;
}

Panel change_panel(db::Read& db, const ListSource& source, const SourceGiven& given) {
    Panel out{"What holds"};
    Form form{path_of(source.id), "Save", trust_fields(given)};
    if (source.kind == SourceKind::group) {
        for (auto& field : agreement_fields(db, given)) form.fields.push_back(std::move(field));
        form.hidden = {{"kind", std::string(of_group)}};
    }
    out.forms.push_back(std::move(form));
    return out;
}

Form confirming(const ListSource& source, const SourceGiven& given) {
    std::vector<Hidden> all{
        {"name", given.name},
        {"mode", std::string(base::word(given.mode))},
        {"ceiling", std::string(base::word(given.ceiling))},
        {"retractions", std::string(base::word(given.retractions))},
        {"priority", std::to_string(given.priority)},
        {"seen", "true"}
    };
    if (source.kind == SourceKind::group) {
        all.push_back({"kind", std::string(of_group)});
        all.push_back({"agree", std::to_string(given.agree)});
        for (const auto member : given.members) all.push_back({"members[]", std::to_string(member.value)});
    }
    return button(path_of(source.id), "Save", std::move(all), "button");
}

}  // namespace pages
