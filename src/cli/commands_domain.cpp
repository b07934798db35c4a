// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json_read.hpp"
#include "cli/cli_context.hpp"
#include "social/moderation/domains_admin.hpp"

#include <algorithm>

namespace server {

namespace {

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

instance::ServerRule rule_of(const NewServerRule& given) {
    instance::ServerRule rule;
    rule.domain = given.domain;
    rule.severity = base::json::read<instance::Severity>("\"" + given.severity + "\"");
    rule.obfuscate = given.obfuscate;
    rule.public_comment = unless_empty(given.public_comment);
    rule.private_comment = unless_empty(given.private_comment);
    rule.reject_media = given.reject_media;
    rule.reject_reports = given.reject_reports;
    return rule;
}

}  // namespace

int block_server(const Settings& settings, const NewServerRule& given) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto domain = cli.write([&](db::Write& db) {
        return moderation::put_domain_block(db, accounts::the_operator(), rule_of(given));
    });
    if (settings.json) {
        auto all = cli.read(instance::all_domain_blocks);
        print_json(*std::ranges::find(all, domain, &instance::AdminDomainBlock::domain));
    } else {
        print("Done; what this means for its accounts is worked out in the background.");
    }
    return 0;
}

int unblock_server(const Settings& settings, const std::string& domain) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    bool removed = cli.write([&](db::Write& db) {
        return moderation::remove_domain_block(db, accounts::the_operator(), domain);
    });
    if (!removed)
        throw Refused("There is no rule about \"" + domain + "\"; `dunlin domain list` shows them all");
    print("Removed; its accounts are shown again in the background.");
    return 0;
}

int list_blocked_servers(const Settings& settings) {
    CliContext cli(settings.load().config, CliContext::Missing::refuse);
    auto all = cli.read(instance::all_domain_blocks);
    if (settings.json) return print_json(all), 0;
    std::vector<std::vector<std::string>> rows{{"DOMAIN", "SEVERITY", "REJECTED", "SINCE", "WHY"}};
    for (const auto& one : all) {
        std::string rejected = one.reject_media ? "media" : "";
        if (one.reject_reports) rejected += rejected.empty() ? "reports" : ", reports";
        rows.push_back(
            {one.domain,
             std::string(base::word(one.severity)),
             rejected,
             base::to_string(one.created_at),
             one.private_comment.value_or(one.public_comment.value_or(""))}
        );
    }
    print_table(rows);
    return 0;
}

}  // namespace server
