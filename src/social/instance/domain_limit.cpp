// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_allow.hpp"
#include "social/instance/federation_mode.hpp"
#include "social/instance/list_rule.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace instance {

namespace {

struct Row {
    std::string domain;
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
};
DESCRIBE(Row, domain, severity, reject_media, reject_reports)

}  // namespace

const db::Query<Row> blocks_on_domains{
    "blocks_on_domains",
    R"(SELECT domain, severity, reject_media, reject_reports
       FROM json_each($1) j CROSS JOIN domain_blocks b ON b.domain = j.value)",
    R"(SELECT domain, severity, reject_media, reject_reports FROM domain_blocks
       WHERE domain = ANY((SELECT $1::text[])::text[]))"
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

namespace {

std::vector<std::string> all_upwards(const std::vector<std::string>& domains) {
    std::vector<std::string> out;
    for (const auto& domain : domains) std::ranges::move(domains_upwards(domain), std::back_inserter(out));
    return out;
}

}  // namespace

void expect_limit(db::Read& db, std::string_view domain) {
    db.expect(blocks_on_domains, domains_upwards(domain));
    expect_federation_mode(db);
}

namespace {

std::string question_how_limited(const std::string& domain) { return "limit on " + domain; }

}  // namespace

DomainLimit limit_on(db::Read& db, std::string_view domain) {
    const std::string one(domain);
    return db.memoized(question_how_limited(one), [&] { return limits_on(db, {one}).front(); });
}

db::Remembering ask_for_limits(db::Read& db, const std::vector<std::string>& domains) {
    db.expect(blocks_on_domains, all_upwards(domains));
    expect_federation_mode(db);
    return [&db, domains] {
        const auto limits = limits_on(db, domains);
        for (std::size_t i = 0; i < domains.size(); ++i)
            db.remember(question_how_limited(domains[i]), limits[i]);
    };
}

std::vector<DomainLimit> limits_on(db::Read& db, const std::vector<std::string>& domains) {
    std::unordered_map<std::string, Row> rules;
    for (auto& row : db.all(blocks_on_domains, all_upwards(domains))) rules.emplace(row.domain, row);
    std::vector<DomainLimit> out;
    for (const auto& domain : domains) {
        DomainLimit limit;
        for (const auto& one : domains_upwards(domain)) {  // the longest match decides
            const auto rule = rules.find(one);
            if (rule == rules.end()) continue;
            const auto& [name, severity, media, reports] = rule->second;
            limit.silenced = severity == Severity::silence;
            limit.suspended = severity == Severity::suspend;
            limit.reject_media = media || limit.suspended;
            limit.reject_reports = reports || limit.suspended;
            break;
        }
        if (!limit.suspended && is_left_out(db, domain)) limit = {false, true, true, true};
        out.push_back(limit);
    }
    return out;
}

}  // namespace instance
