// SPDX-License-Identifier: AGPL-3.0-or-later
// The rules about other servers that are published, if the settings make them public (shows_domain_blocks()).
#pragma once
#include "social/instance/list_rule.hpp"

namespace instance {

// Whether the reasons are published as well: the setting show_domain_blocks_rationale.
bool shows_domain_block_reasons(db::Read&, bool to_user);

// For programs, by domain. Rules that only contain a note are internal, and partly hidden names would be
// useless.
inline std::vector<ListRule> public_rules(db::Read& db) {
    auto out = all_rules(db);
    std::erase_if(out, [](const ListRule& rule) {
        const bool decides = rule.severity != Severity::noop || rule.reject_media || rule.reject_reports;
        return rule.obfuscate || !decides;
    });
    return out;
}

}  // namespace instance
