// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/list_rule.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <map>

namespace instance {

const db::Query<KnownRule> all_known_rules{
    "all_known_rules",
    "SELECT domain, severity, reject_media, reject_reports, origin, priority FROM domain_blocks"
};

std::vector<KnownRule> known_rules(db::Read& db) { return db.all(all_known_rules); }

// Applying a list.

const db::Command insert_list_rule{
    "insert_list_rule",
    R"(INSERT INTO list_rules (batch_id, domain, severity, reject_media, reject_reports, obfuscate, public_comment)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};
const db::Command insert_rule_of_list{
    "insert_rule_of_list",
    R"(INSERT INTO domain_blocks (id, domain, severity, reject_media, reject_reports, obfuscate, public_comment, created_at,
           purge_at, priority, origin)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'list') ON CONFLICT (domain) DO NOTHING)"
};
const db::Command update_rule_of_list{
    "update_rule_of_list",
    R"(UPDATE domain_blocks SET severity = $2, reject_media = $3, reject_reports = $4, obfuscate = $5,
           public_comment = $6, priority = $8,
           purge_at = CASE WHEN severity = 'suspend' AND $2 = 'suspend' THEN purge_at
                           WHEN $2 = 'suspend' THEN $7 END
       WHERE domain = $1 AND origin = 'list')",
    R"(UPDATE domain_blocks SET severity = $2::text, reject_media = $3, reject_reports = $4, obfuscate = $5,
           public_comment = $6, priority = $8,
           purge_at = CASE WHEN severity = 'suspend' AND $2::text = 'suspend' THEN purge_at
                           WHEN $2::text = 'suspend' THEN $7::bigint END
       WHERE domain = $1 AND origin = 'list')"
};
// A list's rule about a domain.
struct SaidRule {
    ListBatchId batch;
    std::int64_t priority = 0;
    std::string domain;
    Severity severity = Severity::suspend;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::optional<std::string> public_comment;
};
DESCRIBE(SaidRule, batch, priority, domain, severity, reject_media, reject_reports, obfuscate, public_comment)
const db::Query<SaidRule> active_rules_about{
    "active_rules_about",
    R"(SELECT r.batch_id AS batch, COALESCE(b.priority, 0) AS priority, r.domain, r.severity, r.reject_media,
              r.reject_reports, r.obfuscate, r.public_comment
       FROM list_rules r LEFT JOIN list_batches b ON b.id = r.batch_id
       WHERE r.domain IN LIST($1) AND r.active = TRUE ORDER BY r.domain, r.batch_id)"
};
const db::Query<std::int64_t> priority_of_list{
    "priority_of_list", "SELECT priority FROM list_batches WHERE id = $1"
};
const db::Query<KnownRule> list_rules_in_force{
    "list_rules_in_force",
    R"(SELECT domain, severity, reject_media, reject_reports, origin, priority FROM domain_blocks
       WHERE domain IN LIST($1) AND origin = 'list')"
};

namespace {

int strictness(Severity severity) {
    switch (severity) {
        case Severity::noop: return 0;
        case Severity::silence: return 1;
        case Severity::suspend: break;
    }
    return 2;
}

using Deciding = std::map<std::string, SaidRule>;  // by domain

// The strictest rule among those of the highest priority.
void decide(Deciding& deciding, const SaidRule& one) {
    auto [known, is_first] = deciding.try_emplace(one.domain, one);
    auto& rule = known->second;
    if (is_first || one.priority < rule.priority) return;
    if (one.priority > rule.priority) {
        rule = one;
        return;
    }
    if (strictness(one.severity) > strictness(rule.severity)) rule.severity = one.severity;
    rule.reject_media |= one.reject_media;
    rule.reject_reports |= one.reject_reports;
    rule.obfuscate |= one.obfuscate;
    if (!rule.public_comment) rule.public_comment = one.public_comment;
}

// Sets the rules about these domains to what the deciding lists contain.
void combine(db::Write& db, const std::vector<std::string>& domains) {
    if (domains.empty()) return;
    Deciding deciding;
    for (const auto& one : db.all(active_rules_about, domains)) decide(deciding, one);
    const auto purge_at = db.now().plus_seconds(suspended_servers_kept_seconds);
    for (const auto& [domain, rule] : deciding)
        db.run(
            update_rule_of_list,
            domain,
            rule.severity,
            rule.reject_media,
            rule.reject_reports,
            rule.obfuscate,
            rule.public_comment,
            purge_at,
            rule.priority
        );
}

bool is_stricter(const auto& one, const KnownRule& other) {
    return strictness(one.severity) > strictness(other.severity) ||
           (one.reject_media && !other.reject_media) || (one.reject_reports && !other.reject_reports);
}

std::map<std::string, KnownRule> in_force(db::Read& db, const std::vector<std::string>& domains) {
    std::map<std::string, KnownRule> out;
    if (domains.empty()) return out;
    for (auto& one : db.all(list_rules_in_force, domains)) out.emplace(one.domain, one);
    return out;
}

}  // namespace

const db::Query<std::string> ruled_by_lists{
    "ruled_by_lists", "SELECT domain FROM domain_blocks WHERE domain IN LIST($1) AND origin = 'list'"
};

void add_list_rules(db::Write& db, ListBatchId batch, std::span<const ListRule> rules) {
    std::vector<std::string> domains;
    for (const auto& rule : rules) domains.push_back(rule.domain);
    const auto joined = db.all(ruled_by_lists, domains);
    const auto purge_at = db.now().plus_seconds(suspended_servers_kept_seconds);
    const auto priority = db.maybe(priority_of_list, batch).value_or(0);
    const Exceptions exceptions(db);
    for (const auto& [domain, severity, media, reports, obfuscate, comment] : rules) {
        if (exceptions.hold_for(domain)) continue;
        const auto purge = severity == Severity::suspend ? std::optional(purge_at) : std::nullopt;
        const auto id = db.new_id<DomainBlockId>();
        db.run(insert_list_rule, batch, domain, severity, media, reports, obfuscate, comment);
        db.run(
            insert_rule_of_list,
            id,
            domain,
            severity,
            media,
            reports,
            obfuscate,
            comment,
            db.now(),
            purge,
            priority
        );
    }
    combine(db, joined);
    settle_exceptions(db, domains);
}

// Ending a list.

const db::Query<std::string> active_domains_of_list{
    "active_domains_of_list",
    R"(SELECT domain FROM list_rules WHERE batch_id = $1 AND active = TRUE AND domain > $2 ORDER BY domain LIMIT $3)"
};
const db::Command end_rules_of_list{
    "end_rules_of_list", "UPDATE list_rules SET active = FALSE WHERE batch_id = $1 AND domain IN LIST($2)"
};
const db::Command end_rules_about{
    "end_rules_about", "UPDATE list_rules SET active = FALSE WHERE domain = $1 AND active = TRUE"
};
const db::Command delete_domain_rule{"delete_domain_rule", "DELETE FROM domain_blocks WHERE domain = $1"};
struct Speaker {
    ListBatchId batch_id;
    std::string domain;
};
DESCRIBE(Speaker, batch_id, domain)
const db::Query<Speaker> speakers_about{
    "speakers_about", "SELECT batch_id, domain FROM list_rules WHERE domain IN LIST($1) AND active = TRUE"
};
const db::Query<std::string> said_by_others{
    "said_by_others",
    "SELECT DISTINCT domain FROM list_rules WHERE domain IN LIST($1) AND active = TRUE AND batch_id <> $2"
};
const db::Command delete_rules_of_lists{
    "delete_rules_of_lists", "DELETE FROM domain_blocks WHERE domain IN LIST($1) AND origin = 'list'"
};

namespace {

// Domains that a list decides about: those that other lists also contain, and the others.
struct Ending {
    std::vector<std::string> shared, alone;
};

Ending ending(db::Read& db, ListBatchId batch, const std::vector<std::string>& domains) {
    Ending out;
    out.shared = db.all(said_by_others, domains, batch);
    std::ranges::sort(out.shared);
    for (const auto& domain : domains)
        if (!std::ranges::binary_search(out.shared, domain)) out.alone.push_back(domain);
    return out;
}

}  // namespace

std::vector<std::string> domains_in_force(
    db::Read& db, ListBatchId batch, std::string_view after, int limit
) {
    return db.all(active_domains_of_list, batch, after, limit);
}

EndedRules ending_of_list_rules(db::Read& db, ListBatchId batch) {
    constexpr int at_once = 1000;
    EndedRules out;
    for (std::string after;;) {
        const auto domains = domains_in_force(db, batch, after, at_once);
        const auto removed = std::ssize(db.all(ruled_by_lists, ending(db, batch, domains).alone));
        out.removed += removed;
        out.kept += std::ssize(domains) - removed;
        if (domains.size() < at_once) return out;
        after = domains.back();
    }
}

namespace {

std::vector<std::string> all_in_force(db::Read& db, const std::vector<ListBatchId>& lists) {
    constexpr int at_once = 1000;
    std::set<std::string> out;
    for (const auto list : lists)
        for (std::string after;;) {
            const auto domains = domains_in_force(db, list, after, at_once);
            out.insert(domains.begin(), domains.end());
            if (domains.size() < at_once) break;
            after = domains.back();
        }
    return {out.begin(), out.end()};
}

}  // namespace

EndedRules ending_of_lists(db::Read& db, const std::vector<ListBatchId>& lists) {
    EndedRules out;
    const auto domains = all_in_force(db, lists);
    std::set<std::string> shared;
    for (auto& one : db.all(speakers_about, domains))
        if (std::ranges::find(lists, one.batch_id) == lists.end()) shared.insert(std::move(one.domain));
    for (const auto& domain : db.all(ruled_by_lists, domains))
        if (!shared.contains(domain)) ++out.removed;
    out.kept = std::ssize(domains) - out.removed;
    return out;
}

void end_list_rules(db::Write& db, ListBatchId batch, const std::vector<std::string>& domains) {
    const auto found = ending(db, batch, domains);
    db.run(end_rules_of_list, batch, domains);
    db.run(delete_rules_of_lists, found.alone);
    const auto before = in_force(db, found.shared);
    combine(db, found.shared);
    settle_exceptions(db, domains);
    // A list of lower priority decides now.
    for (const auto& [domain, now] : in_force(db, found.shared))
        if (is_stricter(now, before.at(domain))) db.emit(ServerLimited{domain});
}

// Changing an active list.

const db::Command update_list_rule{
    "update_list_rule",
    R"(UPDATE list_rules SET severity = $3, reject_media = $4, reject_reports = $5, public_comment = $6, obfuscate = $7
       WHERE batch_id = $1 AND domain = $2)"
};
const db::Command delete_list_rules{
    "delete_list_rules", "DELETE FROM list_rules WHERE batch_id = $1 AND domain IN LIST($2)"
};
const db::Command adopt_rules_of_lists{
    "adopt_rules_of_lists",
    "UPDATE domain_blocks SET origin = 'hand' WHERE domain IN LIST($1) AND origin = 'list'"
};

void change_list_rules(db::Write& db, ListBatchId batch, std::span<const ListRule> rules) {
    std::vector<std::string> domains;
    for (const auto& rule : rules) {
        db.run(
            update_list_rule,
            batch,
            rule.domain,
            rule.severity,
            rule.reject_media,
            rule.reject_reports,
            rule.public_comment,
            rule.obfuscate
        );
        domains.push_back(rule.domain);
    }
    combine(db, domains);
    settle_exceptions(db, domains);
    for (const auto& domain : domains) db.emit(ServerLimited{domain});
}

void rank_list_rules(db::Write& db, const std::vector<std::string>& domains) {
    const auto before = in_force(db, domains);
    combine(db, domains);
    settle_exceptions(db, domains);
    for (const auto& [domain, now] : in_force(db, domains)) {
        const auto was = before.find(domain);
        if (was != before.end() && (is_stricter(now, was->second) || is_stricter(was->second, now)))
            db.emit(ServerLimited{domain});
    }
}

std::vector<KnownRule> rules_if_ranked(
    db::Read& db, const std::vector<ListBatchId>& lists, std::int64_t priority,
    const std::vector<std::string>& domains
) {
    if (domains.empty()) return {};
    Deciding deciding;
    for (auto one : db.all(active_rules_about, domains)) {
        if (std::ranges::find(lists, one.batch) != lists.end()) one.priority = priority;
        decide(deciding, one);
    }
    std::vector<KnownRule> out;
    for (const auto& [domain, now] : in_force(db, domains)) {
        const auto found = deciding.find(domain);
        if (found == deciding.end()) continue;
        const auto& said = found->second;
        KnownRule then{
            domain, said.severity, said.reject_media, said.reject_reports, RuleOrigin::list, said.priority
        };
        if (is_stricter(then, now) || is_stricter(now, then)) out.push_back(std::move(then));
    }
    return out;
}

std::vector<std::string> stricter_without(
    db::Read& db, ListBatchId batch, const std::vector<std::string>& domains
) {
    Deciding others;
    for (const auto& one : db.all(active_rules_about, domains))
        if (one.batch != batch) decide(others, one);
    const auto now = in_force(db, domains);
    std::vector<std::string> out;
    for (const auto& [domain, rule] : others)
        if (const auto known = now.find(domain); known != now.end() && is_stricter(rule, known->second))
            out.push_back(domain);
    return out;
}

void withdraw_list_rules(db::Write& db, ListBatchId batch, const std::vector<std::string>& domains) {
    end_list_rules(db, batch, domains);
    db.run(delete_list_rules, batch, domains);
    for (const auto& domain : domains) db.emit(ServerLimited{domain});
}

void adopt_list_rules(db::Write& db, ListBatchId batch, const std::vector<std::string>& domains) {
    db.run(adopt_rules_of_lists, domains);
    db.run(delete_list_rules, batch, domains);
}

int remove_domain_blocks(db::Write& db, const std::vector<std::string>& domains) {
    int removed = 0;
    for (const auto& domain : domains) {
        if (db.run(delete_domain_rule, domain) == 0) continue;
        ++removed;
        db.run(end_rules_about, domain);
        db.emit(ServerLimited{domain});
    }
    settle_exceptions(db, domains);
    return removed;
}

const db::Query<ListRule> list_rules_by_domain{
    "list_rules_by_domain",
    R"(SELECT domain, severity, reject_media, reject_reports, obfuscate, public_comment FROM list_rules
       WHERE batch_id = $1 AND domain > $2 ORDER BY domain LIMIT $3)"
};
const db::Query<std::string> list_domains_after{
    "list_domains_after",
    "SELECT domain FROM list_rules WHERE batch_id = $1 AND domain > $2 ORDER BY domain LIMIT $3"
};

const db::Query<ListRule> all_rules_by_domain{
    "all_rules_by_domain",
    R"(SELECT domain, severity, reject_media, reject_reports, obfuscate, public_comment FROM domain_blocks
       ORDER BY domain)"
};

std::vector<ListRule> all_rules(db::Read& db) { return db.all(all_rules_by_domain); }

std::vector<ListRule> rules_of_list(db::Read& db, ListBatchId batch, std::string_view after, int limit) {
    return db.all(list_rules_by_domain, batch, after, limit);
}

std::vector<std::string> domains_of_list(db::Read& db, ListBatchId batch, std::string_view after, int limit) {
    return db.all(list_domains_after, batch, after, limit);
}

}  // namespace instance
