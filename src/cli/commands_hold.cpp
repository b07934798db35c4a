// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts held back by rules, using the same functions as the API.
#include "cli/cli_context.hpp"
#include "social/rules/held.hpp"

#include <limits>

namespace server {

namespace {

using rules::HeldId;

HeldId number(const std::string& text) {
    return id_of<HeldId>(text, "a post", "`dunlin hold list` shows them");
}

struct Waiting {
    HeldId id;
    std::string from, post, content;
    base::Time since;
    std::optional<base::Time> until;
    bool drops = false;
};
DESCRIBE(Waiting, id, from, post, content, since, until, drops)

std::vector<Waiting> waiting(db::Read& db) {
    std::vector<Waiting> out;
    base::Range range;
    range.below = std::numeric_limits<std::int64_t>::max();
    range.limit = 200;
    for (auto& one : rules::held_posts(db, range))
        out.push_back(
            {one.id,
             std::move(one.acct),
             one.uri ? *one.uri : std::to_string(one.status_id->value),
             std::move(one.content),
             one.created_at,
             one.until,
             one.drops}
        );
    return out;
}

template <void (*F)(db::Write&, const accounts::Actor&, HeldId)>
int end(const Settings& settings, const HoldOrder& order, const char* done) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto id = number(order.id);
    cli.write([&](db::Write& db) { F(db, accounts::the_operator(), id); });
    if (settings.json) print_json(id);
    else print(done);
    return 0;
}

}  // namespace

int list_held(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    const auto all = cli.read(waiting);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"NUMBER", "FROM", "SINCE", "UNTIL", "POST"}};
    for (const auto& one : all)
        rows.push_back(
            {std::to_string(one.id.value),
             one.from,
             base::to_string(one.since),
             one.until ? base::to_string(*one.until) + (one.drops ? ", then dropped" : ", then released")
                       : "somebody decides",
             one.post}
        );
    print_table(rows);
    return 0;
}

int release_held(const Settings& settings, const HoldOrder& order) {
    return end<rules::release_held>(settings, order, "The post is published.");
}

int drop_held(const Settings& settings, const HoldOrder& order) {
    return end<rules::drop_held>(settings, order, "The post is gone.");
}

}  // namespace server
