// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/federation_mode.hpp"

#include "base/json_read.hpp"
#include "base/text/host.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>

namespace instance {

namespace {

constexpr const char* name = "federation_mode";

}  // namespace

bool FederationMode::allows(std::string_view host) const {
    if (!limited_federation) return true;
    return std::ranges::any_of(allowed_servers, [&](const std::string& domain) {
        return !domain.empty() && is_within(host, domain);
    });
}

FederationMode federation_mode(db::Read& db) {
    auto stored = setting(db, name);
    return stored ? base::json::read<FederationMode>(*stored) : FederationMode{};
}

void expect_federation_mode(db::Read& db) { expect_setting(db, name); }

void set_federation_mode(db::Write& db, const FederationMode& mode) {
    auto kept = mode;
    for (auto& server : kept.allowed_servers) server = base::text::normalized_domain(server).value_or(server);
    set_setting(db, name, base::json::to_string(kept));
}

}  // namespace instance
