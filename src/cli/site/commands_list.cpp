// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of servers, using the same functions as the API.
#include "base/json_read.hpp"
#include "cli/cli_context.hpp"
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/server_lists/preview.hpp"

namespace server {

namespace {

using moderation::ListBatch, moderation::ListBatchId;

moderation::ServerList list_in(CliContext& cli, const ListOrder& order) {
    return moderation::read_server_list(
        contents_of_file_or_stdin(order.file),
        base::json::read<instance::Severity>("\"" + order.severity + "\""),
        cli.read([](db::Read& db) { return db.site().domain; })
    );
}

ListBatchId number(const std::string& text) {
    return id_of<ListBatchId>(text, "a list", "`dunlin list show` shows them");
}

std::string rejected(bool media, bool reports) {
    return media && reports ? "media, reports" : media ? "media" : reports ? "reports" : "";
}

template <class Counts>
std::string in_words(const Counts& n) {
    return std::to_string(n.added) + " new rules, " + std::to_string(n.joined) + " that lists made before, " +
           std::to_string(n.own) + " decided here, " + std::to_string(n.covered) + " covered by one above, " +
           std::to_string(n.excepted) + " excepted";
}

void print_preview(const moderation::ListPreview& found) {
    print(in_words(found) + ", " + std::to_string(found.refused.size()) + " lines refused.");
    print(
        std::to_string(found.accounts) + " accounts; " + std::to_string(found.following) + " follows and " +
        std::to_string(found.followers) + " followers of " + std::to_string(found.people) +
        " people here would be lost."
    );
    for (const auto& one : found.losing_most)
        print(
            "  " + one.username + " loses " + std::to_string(one.following) + " follows, " +
            std::to_string(one.followers) + " followers"
        );
    std::vector<std::vector<std::string>> rows{
        {"DOMAIN", "SEVERITY", "REJECTED", "ACCOUNTS", "FOLLOWS", "FOLLOWERS", "BECOMES"}
    };
    for (const auto& one : found.domains)
        rows.push_back(
            {one.domain,
             std::string(base::word(one.severity)),
             rejected(one.reject_media, one.reject_reports),
             std::to_string(one.accounts),
             std::to_string(one.following),
             std::to_string(one.followers),
             std::string(base::word(one.fate)) + (one.by ? " (" + *one.by + ")" : "")}
        );
    print_table(rows);
    for (const auto& one : found.refused)
        print("line " + std::to_string(one.line) + ": " + one.text + ": " + one.reason);
}

void print_list(const ListBatch& one) {
    print_table(
        {{"list", one.name},
         {"number", std::to_string(one.id.value)},
         {"step", std::string(base::word(one.step))},
         {"applied", base::to_string(one.created_at)},
         {"rules", std::to_string(one.domains)},
         {"accounts limited", std::to_string(one.accounts)},
         {"follows ended", std::to_string(one.following)},
         {"followers lost", std::to_string(one.followers)},
         {"follows asked for again", std::to_string(one.restored)}}
    );
}

}  // namespace

int preview_list(const Settings& settings, const ListOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto list = list_in(cli, order);
    const auto found = cli.read([&](db::Read& db) { return moderation::preview(db, list); });
    if (settings.json) print_json(found);
    else print_preview(found);
    return 0;
}

int apply_list(const Settings& settings, const ListOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto read = list_in(cli, order);
    const auto list = cli.read([&](db::Read& db) { return moderation::prepare_list(db, read); });
    const auto done = cli.write([&](db::Write& db) {
        const auto& name = order.name.empty() ? order.file : order.name;
        return moderation::apply_list(db, accounts::the_operator(), name, list, order.dry_run);
    });
    if (settings.json) return print_json(done), 0;
    print(in_words(done) + ", " + std::to_string(done.refused) + " lines refused.");
    if (done.id)
        print(
            "It comes into force as list " + std::to_string(done.id->value) +
            "; what it means for accounts is worked out in the background."
        );
    return 0;
}

int undo_list(const Settings& settings, const ListOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = number(order.id);
    const auto ending = cli.read([&](db::Read& db) { return instance::ending_of_list_rules(db, id); });
    const auto done = cli.write([&](db::Write& db) {
        return moderation::undo_list(db, accounts::the_operator(), id, ending, order.dry_run);
    });
    if (settings.json) return print_json(done), 0;
    print(
        std::to_string(done.removed) + " rules go, " + std::to_string(done.kept) + " stay; " +
        std::to_string(done.following) + " follows are asked for again, " + std::to_string(done.followers) +
        " followers cannot be brought back."
    );
    return 0;
}

int show_lists(const Settings& settings, const ListOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    if (!order.id.empty()) {
        const auto one = cli.read([&](db::Read& db) { return moderation::list_batch(db, number(order.id)); });
        if (settings.json) print_json(one);
        else print_list(one);
        return 0;
    }
    base::Range some;
    some.limit = 40;
    const auto all = cli.read([&](db::Read& db) { return moderation::list_batches(db, some); });
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"NUMBER", "LIST", "APPLIED", "RULES", "STEP"}};
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.id.value),
             one.name,
             base::to_string(one.created_at),
             std::to_string(one.domains),
             std::string(base::word(one.step))}
        );
    print_table(rows);
    return 0;
}

int export_list(const Settings& settings, const ListOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto rules = cli.read([&](db::Read& db) {
        if (order.id.empty()) return instance::all_rules(db);
        const auto id = moderation::list_batch(db, number(order.id)).id;
        return instance::rules_of_list(db, id, {}, static_cast<int>(moderation::most_list_lines));
    });
    if (settings.json) return print_json(rules), 0;
    auto csv = moderation::server_list_csv(rules);
    csv.pop_back();
    print(csv);
    return 0;
}

int except_from_lists(const Settings& settings, const ListOrder& order) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto who = accounts::the_operator();
    if (!order.domain.empty())
        cli.write([&](db::Write& db) {
            if (order.remove) moderation::end_exception(db, who, order.domain);
            else moderation::except_from_lists(db, who, order.domain, order.name);
        });
    const auto all = cli.read(instance::list_exceptions);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"DOMAIN", "SINCE", "WHY"}};
    for (const auto& one : all) rows.push_back({one.domain, base::to_string(one.created_at), one.comment});
    print_table(rows);
    return 0;
}

}  // namespace server
