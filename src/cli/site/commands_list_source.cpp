// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists of servers, using the same functions as the API.
#include "base/json_read.hpp"
#include "base/text/join.hpp"
#include "cli/cli_context.hpp"
#include "social/moderation/list_sources/group.hpp"
#include "social/moderation/list_sources/standing.hpp"

#include <algorithm>

namespace server {

namespace {

using moderation::ListSource, moderation::ListSourceId;

ListSourceId number(const std::string& text) {
    return id_of<ListSourceId>(text, "a subscribed list", "`dunlin list sources` shows them");
}

template <class Word>
std::optional<Word> word_of(const std::string& text) {
    if (text.empty()) return {};
    return base::json::read<Word>("\"" + text + "\"");
}

moderation::SourceForm form_of(const SourceOrder& order) {
    moderation::SourceForm out;
    if (!order.name.empty()) out.name = order.name;
    if (!order.url.empty()) out.url = order.url;
    out.kind = word_of<moderation::SourceKind>(order.kind);
    out.role = word_of<moderation::SourceRole>(order.role);
    out.mode = word_of<moderation::SourceMode>(order.mode);
    out.ceiling = word_of<moderation::Ceiling>(order.ceiling);
    out.retractions = word_of<moderation::Retractions>(order.retractions);
    out.label = order.label;
    out.priority = order.priority;
    if (order.agree != 0) out.agree = order.agree;
    if (!order.members.empty()) out.members.emplace();
    for (const auto& one : order.members) out.members->push_back(number(one));
    return out;
}

ListSource found(db::Read& db, const std::string& id) {
    try {
        return moderation::list_source(db, number(id));
    } catch (const base::NotFound&) {
        throw Refused("There is no subscribed list " + id + "; `dunlin list sources` shows them");
    }
}

std::string health(const ListSource& one) {
    if (!one.problem.empty()) return one.problem;
    switch (one.hold) {
        case moderation::SourceHold::none: return one.read_at ? "well" : "not read yet";
        case moderation::SourceHold::first: return one.read_at ? "waits to be looked at" : "not read yet";
        case moderation::SourceHold::grown: return "waits to be looked at: it has grown much";
        case moderation::SourceHold::shrunk: break;
    }
    return "waits to be looked at: it has shrunk much";
}

std::string label_of(db::Read& db, const ListSource& one) {
    if (!one.label_id) return "none";
    for (const auto& label : labels::all_labels(db))
        if (label.id == *one.label_id) return label.name;
    return "none: it was deleted";
}

void print_source(const ListSource& one, const std::string& label) {
    const bool is_group = one.kind == moderation::SourceKind::group;
    print_table(
        {{"list", one.name},
         {"number", std::to_string(one.id.value)},
         {is_group ? "must agree" : "address", is_group ? std::to_string(one.agree) : one.url},
         {"kind", std::string(base::word(one.kind))},
         {"role", std::string(base::word(one.role))},
         {"mode", std::string(base::word(one.mode))},
         {"ceiling", std::string(base::word(one.ceiling))},
         {"retractions", std::string(base::word(one.retractions))},
         {"priority", std::to_string(one.priority)},
         {"label", label},
         {"entries", std::to_string(one.entries)},
         {"not understood", std::to_string(one.refused)},
         {"read", one.read_at ? base::to_string(*one.read_at) : "never"},
         {"next", base::to_string(one.next_at)},
         {"state", health(one)}}
    );
}

void print_members(const std::vector<ListSource>& members) {
    if (members.empty()) return;
    std::vector<std::vector<std::string>> rows{{"MEMBER", "LIST"}};
    for (const auto& one : members) rows.push_back({std::to_string(one.id.value), one.name});
    print_table(rows);
}

void print_entries(const std::vector<moderation::StandingAdvice>& all) {
    std::vector<std::vector<std::string>> rows{{"ABOUT", "NAME", "ADVICE", "FILTERS", "STATE"}};
    for (const auto& one : all) {
        const bool advises = one.type == moderation::AdviceType::advisory;
        rows.push_back(
            {std::string(base::word(one.about)),
             one.key,
             std::string(advises ? base::word(one.type) : base::word(one.policy)),
             base::text::joined(one.filters),
             std::string(base::word(one.state))}
        );
    }
    print_table(rows);
}

struct Named {
    std::vector<std::string> domains;
    std::vector<moderation::Advice> others;  // accounts and mail providers
};

Named named(db::Read& db, const ListSource& source, const std::vector<std::string>& names) {
    Named out;
    const auto says = moderation::standing_advice(
        db,
        source,
        {{}, moderation::AdviceState::suggested, {}, static_cast<int>(moderation::most_list_lines)}
    );
    for (const auto& name : names) {
        const auto one = std::ranges::find(says, name, &moderation::StandingAdvice::key);
        const bool is_other = one != says.end() && one->about != moderation::AdviceAbout::domain;
        if (is_other) out.others.push_back(moderation::advice_about(db, source.id, name));
        else out.domains.push_back(name);
    }
    return out;
}

int subscribe(const Settings& settings, const moderation::SourceForm& form, const std::string& now) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = cli.write([&](db::Write& db) {
        return moderation::add_list_source(db, accounts::the_operator(), form);
    });
    if (settings.json) print_json(cli.read([&](db::Read& db) { return moderation::list_source(db, id); }));
    else
        print(
            "It is list " + std::to_string(id.value) + " and " + now + ". `dunlin list sources " +
            std::to_string(id.value) + "` shows what it says."
        );
    return 0;
}

int preview_priority(
    const Settings& settings, CliContext& cli, const ListSource& source, std::int64_t priority
) {
    const auto found =
        cli.read([&](db::Read& db) { return moderation::preview_priority(db, source, priority); });
    if (settings.json) return print_json(found), 0;
    std::vector<std::vector<std::string>> rows{
        {"DOMAIN", "RULE", "MEDIA", "REPORTS", "ACCOUNTS", "FOLLOWS THAT END"}
    };
    for (const auto& one : found.domains)
        rows.push_back(
            {one.domain,
             std::string(base::word(one.severity)),
             one.reject_media ? "none" : "taken",
             one.reject_reports ? "none" : "taken",
             std::to_string(one.accounts),
             std::to_string(one.following + one.followers)}
        );
    if (!found.domains.empty()) print_table(rows);
    print(
        std::to_string(found.domains.size()) + " rules would change; " + std::to_string(found.following) +
        " follows of people here and " + std::to_string(found.followers) + " of their followers would end."
    );
    return 0;
}

// A staff decision about a source, based on what its list currently says.
template <class F>
int decide(const Settings& settings, const SourceOrder& order, const std::string& done, F act) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto source = cli.read([&](db::Read& db) { return found(db, order.id); });
    const auto standing = cli.read([&](db::Read& db) { return moderation::standing_of(db, source); });
    cli.write([&](db::Write& db) { act(db, source.id, standing); });
    if (settings.json) print_json(cli.read([&](db::Read& db) { return found(db, order.id); }));
    else print(done);
    return 0;
}

}  // namespace

int add_list_source(const Settings& settings, const SourceOrder& order) {
    return subscribe(settings, form_of(order), "is read now");
}

int add_list_group(const Settings& settings, const SourceOrder& order) {
    auto form = form_of(order);
    form.kind = moderation::SourceKind::group;
    return subscribe(settings, form, "is worked out now");
}

int change_list_source(const Settings& settings, const SourceOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto source = cli.read([&](db::Read& db) { return found(db, order.id); });
    const auto form = form_of(order);
    if (order.dry_run && !order.priority)
        throw Refused("--dry-run tells what another priority would change: give --priority");
    if (order.dry_run) return preview_priority(settings, cli, source, *order.priority);
    cli.write([&](db::Write& db) {
        moderation::change_list_source(db, accounts::the_operator(), source.id, form);
    });
    const auto now = cli.read([&](db::Read& db) { return found(db, order.id); });
    if (settings.json) print_json(now);
    else print_source(now, cli.read([&](db::Read& db) { return label_of(db, now); }));
    return 0;
}

int show_list_sources(const Settings& settings, const SourceOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    if (!order.id.empty()) {
        const auto one = cli.read([&](db::Read& db) { return found(db, order.id); });
        const auto says = cli.read([&](db::Read& db) {
            return moderation::standing_advice(
                db, one, {{}, {}, {}, static_cast<int>(moderation::most_list_lines)}
            );
        });
        if (settings.json) return print_json(says), 0;
        print_source(one, cli.read([&](db::Read& db) { return label_of(db, one); }));
        print_members(cli.read([&](db::Read& db) { return moderation::members_of_group(db, one.id); }));
        print_entries(says);
        return 0;
    }
    const auto all = cli.read(moderation::list_sources);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{
        {"NUMBER", "LIST", "KIND", "ROLE", "MODE", "PRIORITY", "ENTRIES", "STATE"}
    };
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.id.value),
             one.name,
             std::string(base::word(one.kind)),
             std::string(base::word(one.role)),
             std::string(base::word(one.mode)),
             std::to_string(one.priority),
             std::to_string(one.entries),
             health(one)}
        );
    print_table(rows);
    return 0;
}

int sync_list_source(const Settings& settings, const SourceOrder& order) {
    return decide(settings, order, "It is read now.", [](db::Write& db, ListSourceId id, const auto&) {
        moderation::read_list_source_now(db, accounts::the_operator(), id);
    });
}

int accept_list_source(const Settings& settings, const SourceOrder& order) {
    return decide(
        settings,
        order,
        "It is gone along with.",
        [](db::Write& db, ListSourceId id, const auto& now) {
            moderation::accept_source(db, accounts::the_operator(), id, now);
        }
    );
}

int take_from_list_source(const Settings& settings, const SourceOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto who = accounts::the_operator();
    const auto source = cli.read([&](db::Read& db) { return found(db, order.id); });
    const auto chosen = cli.read([&](db::Read& db) { return named(db, source, order.domains); });
    const bool rules = order.domains.empty() || !chosen.domains.empty();
    // All or nothing: a name without a suggestion is detected before anything is done.
    std::optional<moderation::PreparedSource> prepared;
    if (rules)
        prepared =
            cli.read([&](db::Read& db) { return moderation::prepare_source(db, source, chosen.domains); });
    const auto done = cli.write([&](db::Write& db) {
        if (!order.dry_run)
            for (const auto& one : chosen.others) moderation::act_on_advice(db, who, source.id, one);
        return rules ? moderation::apply_source(db, who, source.id, *prepared, order.dry_run)
                     : moderation::AppliedList{};
    });
    if (settings.json) return print_json(done), 0;
    if (!chosen.others.empty())
        print(
            std::to_string(chosen.others.size()) + " accounts and mail providers " +
            (order.dry_run ? "would be" : "are") + " dealt with as it suggests."
        );
    if (!rules) return 0;
    print(
        std::to_string(done.added) + " new rules, " + std::to_string(done.joined) +
        " that lists made before, " + std::to_string(done.own) + " decided here, " +
        std::to_string(done.covered) + " covered by one above, " + std::to_string(done.excepted) +
        " excepted."
    );
    if (done.id) print("They come into force as list " + std::to_string(done.id->value) + ".");
    return 0;
}

int dismiss_from_list_source(const Settings& settings, const SourceOrder& order) {
    if (order.all != order.domains.empty())
        throw Refused("Name the domains of which nothing is to be suggested any more, or give --all");
    if (!order.all)
        return decide(
            settings,
            order,
            "Nothing is suggested of them any more.",
            [&](db::Write& db, ListSourceId id, const auto& now) {
                moderation::dismiss_advice(db, accounts::the_operator(), id, order.domains, now);
            }
        );
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto source = cli.read([&](db::Read& db) { return found(db, order.id); });
    const auto all = cli.read([&](db::Read& db) {
        return moderation::suggested_domains(moderation::RulesNow(db), moderation::standing_of(db, source));
    });
    cli.write([&](db::Write& db) { moderation::dismiss_all(db, accounts::the_operator(), source.id, all); });
    if (settings.json) print_json(all);
    else print("Nothing is suggested of " + std::to_string(all.size()) + " domains any more.");
    return 0;
}

int lift_of_list_source(const Settings& settings, const SourceOrder& order) {
    return decide(
        settings,
        order,
        "The rules that it took back go.",
        [&](db::Write& db, ListSourceId id, const auto& now) {
            moderation::lift_withdrawn(db, accounts::the_operator(), id, order.domains, now);
        }
    );
}

int remove_list_source(const Settings& settings, const SourceOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto source = cli.read([&](db::Read& db) { return found(db, order.id); });
    const auto ending = cli.read([&](db::Read& db) { return moderation::ending_of_source(db, source.id); });
    if (!order.dry_run)
        cli.write([&](db::Write& db) {
            moderation::remove_list_source(db, accounts::the_operator(), source.id, order.lift);
        });
    if (settings.json) return 0;
    if (!order.dry_run) print("It is read no longer.");
    if (order.lift || order.dry_run)
        print(
            std::to_string(ending.removed) + " rules " + (order.dry_run ? "would be" : "are") + " lifted, " +
            std::to_string(ending.kept) + " stay as others say so, too."
        );
    return 0;
}

}  // namespace server
