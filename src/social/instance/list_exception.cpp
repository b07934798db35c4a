// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/domain_allow.hpp"
#include "social/instance/list_rule.hpp"

#include <algorithm>

namespace instance {

namespace {

constexpr std::size_t most_exceptions = 500, most_ended = 50;

struct OwnRule {
    std::string domain;
    RuleOrigin origin = RuleOrigin::hand;
};
DESCRIBE(OwnRule, domain, origin)

}  // namespace

const db::Query<ListException> all_list_exceptions{
    "all_list_exceptions", "SELECT domain, comment, created_at FROM list_exceptions ORDER BY domain"
};
const db::Command insert_list_exception{
    "insert_list_exception",
    R"(INSERT INTO list_exceptions (domain, comment, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (domain) DO UPDATE SET comment = excluded.comment)"
};
const db::Command delete_list_exception{
    "delete_list_exception", "DELETE FROM list_exceptions WHERE domain = $1"
};
const db::Query<OwnRule> rules_upwards{
    "rules_upwards",
    "SELECT domain, origin FROM domain_blocks WHERE domain IN LIST($1) ORDER BY length(domain) DESC LIMIT 2"
};
const db::Command insert_exempting_rule{
    "insert_exempting_rule",
    R"(INSERT INTO domain_blocks (id, domain, severity, created_at, origin)
       VALUES ($1, $2, 'noop', $3, 'exception'))"
};
const db::Command delete_exempting_rule{
    "delete_exempting_rule", "DELETE FROM domain_blocks WHERE domain = $1 AND origin = 'exception'"
};

std::vector<ListException> list_exceptions(db::Read& db) { return db.all(all_list_exceptions); }

Exceptions::Exceptions(db::Read& db) {
    for (auto& one : list_exceptions(db)) domains_.insert(std::move(one.domain));
}

bool Exceptions::hold_for(std::string_view domain) const {
    if (domains_.empty()) return false;
    return std::ranges::any_of(domains_upwards(domain), [&](const auto& one) {
        return domains_.contains(one);
    });
}

void settle_exceptions(db::Write& db, const std::vector<std::string>& domains) {
    const std::set<std::string_view> changed(domains.begin(), domains.end());
    for (const auto& one : list_exceptions(db)) {
        const auto upwards = domains_upwards(one.domain);
        if (std::ranges::none_of(upwards, [&](const auto& above) { return changed.contains(above); }))
            continue;
        const auto found = db.all(rules_upwards, upwards);
        const bool has_own = !found.empty() && found[0].domain == one.domain;
        const std::size_t above = has_own ? 1 : 0;
        const bool is_below_list = found.size() > above && found[above].origin == RuleOrigin::list;
        if (!has_own && is_below_list)
            db.run(insert_exempting_rule, db.new_id<DomainBlockId>(), one.domain, db.now());
        else if (has_own && found[0].origin == RuleOrigin::exception && !is_below_list)
            db.run(delete_exempting_rule, one.domain);
    }
}

std::vector<std::string> rules_in_the_way(db::Read& db, std::string_view domain) {
    std::vector<std::string> out;
    for (auto& rule : known_rules(db))
        if (rule.origin == RuleOrigin::list && is_within(rule.domain, domain))
            out.push_back(std::move(rule.domain));
    return out;
}

std::string add_list_exception(db::Write& db, std::string_view given, const std::string& comment) {
    auto domain = checked_domain(given);
    if (list_exceptions(db).size() >= most_exceptions)
        throw base::Invalid("There are 500 exceptions already");
    const auto ended = rules_in_the_way(db, domain);
    static_assert(most_ended == 50);
    if (ended.size() > most_ended)
        throw base::Invalid("More than 50 rules of lists are about this domain: undo the list first");
    db.run(insert_list_exception, domain, comment, db.now());
    remove_domain_blocks(db, ended);
    settle_exceptions(db, {domain});
    db.emit(ServerLimited{domain});
    return domain;
}

void remove_list_exception(db::Write& db, std::string_view given) {
    const auto domain = checked_domain(given);
    if (db.run(delete_list_exception, domain) == 0) throw base::NotFound();
    if (db.run(delete_exempting_rule, domain) == 0) return;
    settle_exceptions(db, {domain});
    db.emit(ServerLimited{domain});
}

}  // namespace instance
