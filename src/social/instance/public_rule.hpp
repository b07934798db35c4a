// SPDX-License-Identifier: AGPL-3.0-or-later
// What of the rules about other servers is told to others, where the settings let anybody read them (shows_domain_blocks()).
#pragma once
#include "social/instance/list_rule.hpp"

namespace instance {

// Whether the reasons are told as well: the setting show_domain_blocks_rationale.
bool shows_domain_block_reasons(db::Read&, bool to_user);

// For programs that read them, by domain. What only notes something is nobody else's business, and of a name that is hidden in
// part nobody could make use.
inline std::vector<ListRule> public_rules(db::Read& db) {
    auto out = all_rules(db);
    std::erase_if(out, [](const ListRule& rule) {
        const bool decides = rule.severity != Severity::noop || rule.reject_media || rule.reject_reports;
        return rule.obfuscate || !decides;
    });
    return out;
}

}  // namespace instance
