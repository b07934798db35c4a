// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels, using the same functions as the API. Actions are recorded as the operator's.
#include "base/json_read.hpp"
#include "cli/cli_context.hpp"
#include "cli/dialogue.hpp"
#include "social/moderation/labels/label_act.hpp"

namespace server {

namespace {

using labels::Label, labels::LabelEffect;

LabelEffect effect_of(const std::string& word) { return base::json::read<LabelEffect>("\"" + word + "\""); }

Label named(db::Read& db, const std::string& name) {
    if (auto found = labels::find_label(db, name)) return *std::move(found);
    throw Refused("There is no label \"" + name + "\"; `dunlin label list` shows them");
}

base::StatusId post(const std::string& text) {
    return id_of<base::StatusId>(text, "a post", "it stands in the address of its page");
}

labels::Bearer bearer(db::Read& db, const LabelOrder& order) {
    const int given = !order.account.empty() + !order.post.empty() + !order.server.empty();
    if (given != 1) throw Refused("Say what bears the label: one of --account, --post and --server");
    moderation::BearerForm form;
    if (!order.server.empty()) form.domain = order.server;
    if (!order.post.empty()) form.status_id = post(order.post);
    if (!order.account.empty()) {
        const auto known = accounts::find_by_acct(db, order.account);
        if (!known) throw Refused("There is no account \"" + order.account + "\" here");
        form.account_id = known->id;
    }
    try {
        return moderation::bearer_of(db, form);
    } catch (const base::NotFound&) {
        throw Refused("There is no post " + order.post);
    }
}

// Applies a change to a label and shows the result.
template <class F>
int act(const Settings& settings, const LabelOrder& order, const std::string& done, const F& change) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    cli.write([&](db::Write& db) { change(db, named(db, order.name)); });
    if (settings.json) print_json(cli.read([&](db::Read& db) { return named(db, order.name); }));
    else print(done);
    return 0;
}

}  // namespace

int list_labels(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto all = cli.read(labels::all_labels);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"LABEL", "EFFECT", "PEOPLE READ"}};
    for (const auto& one : all) rows.push_back({one.name, std::string(base::word(one.effect)), one.title});
    print_table(rows);
    return 0;
}

int create_label(const Settings& settings, const LabelOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    labels::LabelForm wanted{order.name, {}, LabelEffect::none};
    if (!order.title.empty()) wanted.title = order.title;
    if (!order.effect.empty()) wanted.effect = effect_of(order.effect);
    const auto id = cli.write([&](db::Write& db) {
        return moderation::create_label(db, accounts::the_operator(), wanted);
    });
    if (settings.json) print_json(cli.read([&](db::Read& db) { return labels::label(db, id); }));
    else print("The label is made.");
    return 0;
}

int change_label(const Settings& settings, const LabelOrder& order) {
    if (order.title.empty() && order.effect.empty())
        throw Refused("Say what changes: --text or --effect, or both");
    return act(settings, order, "The label is changed.", [&](db::Write& db, const Label& label) {
        const auto title = order.title.empty() ? std::nullopt : std::optional(order.title);
        const auto effect = order.effect.empty() ? std::nullopt : std::optional(effect_of(order.effect));
        moderation::change_label(db, accounts::the_operator(), label.id, title, effect);
    });
}

int delete_label(const Settings& settings, const LabelOrder& order) {
    if (!order.sure && settings.json)
        throw ConfigError("With --json nothing is asked; say --yes if it is meant so");
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto known = cli.read([&](db::Read& db) { return named(db, order.name); });
    if (!order.sure && !agreed("Shall \"" + known.name + "\" be deleted, and taken off all that bears it?"))
        return 1;
    cli.write([&](db::Write& db) { moderation::delete_label(db, accounts::the_operator(), known.id); });
    if (!settings.json) print("The label is deleted.");
    return 0;
}

int put_label(const Settings& settings, const LabelOrder& order) {
    return act(settings, order, "The label is put on.", [&](db::Write& db, const Label& label) {
        moderation::put_label(db, accounts::the_operator(), label.id, bearer(db, order));
    });
}

int take_label(const Settings& settings, const LabelOrder& order) {
    return act(settings, order, "The label is taken off.", [&](db::Write& db, const Label& label) {
        const auto from = bearer(db, order);
        try {
            moderation::take_label(db, accounts::the_operator(), label.id, from);
        } catch (const base::NotFound&) {
            throw Refused("It does not bear the label \"" + label.name + "\"");
        }
    });
}

}  // namespace server
