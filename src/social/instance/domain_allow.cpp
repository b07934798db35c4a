// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_allow.hpp"

#include "base/text/blank.hpp"
#include "base/text/host.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/federation_mode.hpp"

#include <algorithm>

namespace instance {

#define DOMAIN_ALLOWS "SELECT id, domain, created_at FROM domain_allows "

const db::Query<DomainAllow> domain_allows_down{
    "domain_allows_down", DOMAIN_ALLOWS "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<DomainAllow> domain_allows_up{
    "domain_allows_up", DOMAIN_ALLOWS "WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<DomainAllow> domain_allow_by_id{"domain_allow_by_id", DOMAIN_ALLOWS "WHERE id = $1"};
const db::Query<DomainAllow> domain_allow_by_domain{
    "domain_allow_by_domain", DOMAIN_ALLOWS "WHERE domain = $1"
};

std::vector<DomainAllow> domain_allows(db::Read& db, const base::Range& r) {
    auto found = db.all(r.ascending ? domain_allows_up : domain_allows_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

DomainAllow domain_allow(db::Read& db, DomainAllowId id) { return db.one(domain_allow_by_id, id); }

std::optional<DomainAllow> domain_allow_of(db::Read& db, std::string_view domain) {
    return db.maybe(domain_allow_by_domain, domain);
}

std::string checked_domain(std::string_view given) {
    if (given.ends_with('/')) given.remove_suffix(1);
    if (base::text::is_blank(given)) throw base::Invalid("Validation failed: Domain can't be blank");
    auto domain = base::text::normalized_domain(given);
    if (!domain) throw base::Invalid("Validation failed: Domain is not a valid domain name");
    return *std::move(domain);
}

const db::Command insert_domain_allow{
    "insert_domain_allow", "INSERT INTO domain_allows (id, domain, created_at) VALUES ($1, $2, $3)"
};
const db::Command delete_domain_allow{"delete_domain_allow", "DELETE FROM domain_allows WHERE id = $1"};

DomainAllowId allow_domain(db::Write& db, const std::string& given) {
    auto domain = checked_domain(given);
    if (auto known = domain_allow_of(db, domain)) return known->id;
    auto id = db.new_id<DomainAllowId>();
    db.run(insert_domain_allow, id, domain, db.now());
    db.emit(ServerLimited{domain});
    return id;
}

void disallow_domain(db::Write& db, DomainAllowId id) {
    auto gone = domain_allow(db, id);
    db.run(delete_domain_allow, id);
    db.emit(ServerLimited{gone.domain});
}

bool is_left_out(db::Read& db, std::string_view host) {
    auto mode = db.memoized("federation mode", [&] { return federation_mode(db); });
    if (mode.allows(host)) return false;
    return !domain_allow_of(db, host.substr(0, host.find(':')));
}

}  // namespace instance
