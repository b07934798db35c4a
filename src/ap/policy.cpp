// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/policy.hpp"

namespace ap {

namespace {

constexpr std::size_t most_entries = 256;

// Older servers say always and approvalRequired.
Rule rule(Node node) {
    Rule out;
    auto automatic = node["automaticApproval"], always = node["always"];
    auto manual = node["manualApproval"], required = node["approvalRequired"];
    out.automatic = (automatic ? automatic : always).ids(most_entries);
    out.manual = (manual ? manual : required).ids(most_entries);
    out.given = !out.automatic.empty() || !out.manual.empty();
    return out;
}

}  // namespace

InteractionPolicy read_policy(Node node) {
    return {
        rule(node["canLike"]),
        rule(node["canReply"]),
        rule(node["canAnnounce"]),
        rule(node["canQuote"]),
        rule(node["canFeature"])
    };
}

}  // namespace ap
