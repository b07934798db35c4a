// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_allow.hpp"
#include "social/instance/list_rule.hpp"

#include <unordered_map>

namespace instance {

namespace {

struct Row {
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
};
DESCRIBE(Row, severity, reject_media, reject_reports)

struct RowOfDomain {
    std::string domain;
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
};
DESCRIBE(RowOfDomain, domain, severity, reject_media, reject_reports)

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

namespace {

// `row`: the rule that decides, if there is one.
template <class Rule>
DomainLimit limit_by(db::Read& db, std::string_view domain, const Rule* row) {
    DomainLimit limit;
    if (row) {
        limit.silenced = row->severity == Severity::silence;
        limit.suspended = row->severity == Severity::suspend;
        limit.reject_media = row->reject_media || limit.suspended;
        limit.reject_reports = row->reject_reports || limit.suspended;
    }
    if (!limit.suspended && is_left_out(db, domain)) limit = {false, true, true, true};
    return limit;
}

}  // namespace

DomainLimit limit_on(db::Read& db, std::string_view domain) {
    const auto row = db.maybe(blocks_on_domain, domains_upwards(domain));
    return limit_by(db, domain, row ? &*row : nullptr);
}

const db::Query<RowOfDomain> blocks_on_domains{
    "blocks_on_domains",
    "SELECT domain, severity, reject_media, reject_reports FROM domain_blocks WHERE domain IN LIST($1)"
};

std::vector<DomainLimit> limits_on(db::Read& db, const std::vector<std::string>& domains) {
    std::vector<std::string> asked;
    for (const auto& domain : domains)
        for (auto& one : domains_upwards(domain)) asked.push_back(std::move(one));
    std::unordered_map<std::string, RowOfDomain> rules;
    for (auto& row : db.all(blocks_on_domains, asked)) rules.emplace(row.domain, row);
    std::vector<DomainLimit> out;
    for (const auto& domain : domains) {
        const RowOfDomain* rule = nullptr;
        for (const auto& one : domains_upwards(domain)) {  // the longest first
            const auto found = rules.find(one);
            if (found == rules.end()) continue;
            rule = &found->second;
            break;
        }
        out.push_back(limit_by(db, domain, rule));
    }
    return out;
}

}  // namespace instance
