// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_block.hpp"

#include "social/instance/domain_allow.hpp"

namespace instance {

namespace {

struct Row {
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
};
DESCRIBE(Row, severity, reject_media, reject_reports)

}  // namespace

const db::Query<Row> blocks_on_domain{
    "blocks_on_domain",
    R"(SELECT severity, reject_media, reject_reports
       FROM json_each($1) j CROSS JOIN domain_blocks b ON b.domain = j.value ORDER BY length(domain) DESC LIMIT 1)",
    R"(SELECT severity, reject_media, reject_reports FROM domain_blocks WHERE domain = ANY((SELECT $1::text[])::text[])
       ORDER BY length(domain) DESC LIMIT 1)"
};

std::vector<std::string> domains_upwards(std::string_view domain) {
    constexpr std::size_t most_labels = 127;
    std::vector<std::string> out;
    domain = domain.substr(0, domain.find(':'));
    while (!domain.empty() && out.size() < most_labels) {
        out.emplace_back(domain);
        auto dot = domain.find('.');
        domain = dot == domain.npos ? std::string_view() : domain.substr(dot + 1);
    }
    return out;
}

void expect_limit(db::Read& db, std::string_view domain) {
    db.expect(blocks_on_domain, domains_upwards(domain));
}

DomainLimit limit_on(db::Read& db, std::string_view domain) {
    DomainLimit limit;
    if (auto row = db.maybe(blocks_on_domain, domains_upwards(domain))) {
        limit.silenced = row->severity == Severity::silence;
        limit.suspended = row->severity == Severity::suspend;
        limit.reject_media = row->reject_media || limit.suspended;
        limit.reject_reports = row->reject_reports || limit.suspended;
    }
    if (!limit.suspended && is_left_out(db, domain)) limit = {false, true, true, true};
    return limit;
}

}  // namespace instance
