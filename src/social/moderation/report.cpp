// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/report.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "base/text/host.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/settings.hpp"
#include "social/moderation/evidence.hpp"

#include <algorithm>

namespace moderation {

#define VISIBLE_TO_SERVER                                                               \
    "AND s.account_id = $2 AND (s.visibility IN ('public', 'unlisted') "                \
    "OR (s.visibility = 'private' AND EXISTS (SELECT 1 FROM follows f JOIN accounts a " \
    "ON a.id = f.account_id WHERE f.target_id = s.account_id AND a.domain = $3)) "      \
    "OR EXISTS (SELECT 1 FROM mentions m JOIN accounts a ON a.id = m.account_id "       \
    "WHERE m.status_id = s.id AND a.domain = $3)) ORDER BY s.id"

// follows belongs to relationships, accounts to accounts.
const db::Query<StatusId> statuses_visible_to_server{
    "statuses_visible_to_server", "SELECT s.id FROM statuses s WHERE s.id IN LIST($1) " VISIBLE_TO_SERVER
};

std::vector<StatusId> visible_to_server(
    db::Read& db, const std::vector<StatusId>& ids, AccountId author, const std::string& domain
) {
    return db.all(statuses_visible_to_server, ids, author, domain);
}

// rules belongs to instance. Those that were taken down were in force when they were broken.
const db::Query<std::int64_t> count_rules{"count_rules", "SELECT count(*) FROM rules WHERE id IN LIST($1)"};
const db::Query<std::int64_t> reports_since{
    "reports_since", "SELECT count(*) FROM reports WHERE account_id = $1 AND created_at > $2"
};

std::int64_t reports_today(db::Read& db, AccountId reporter) {
    return db.one(reports_since, reporter, db.now().plus_seconds(-86'400));
}

namespace {

constexpr std::size_t longest_comment = 1000, longest_remote_comment = 5000;

template <class T>
std::vector<T> distinct(std::vector<T> ids) {
    std::ranges::sort(ids);
    auto same = std::ranges::unique(ids);
    ids.erase(same.begin(), same.end());
    return ids;
}

// Theirs, and the reporter may see them, or could until they were deleted.
void check_statuses(
    db::Read& db, const statuses::Audience& reporter, AccountId author, const std::vector<StatusId>& ids
) {
    std::size_t found = 0;
    auto count = [&](const std::vector<statuses::VisibilityFacts>& all) {
        for (const auto& f : all)
            if (f.account_id == author && statuses::visible(f, reporter)) ++found;
    };
    count(statuses::visibility_facts(db, reporter, ids));
    if (found < ids.size()) count(statuses::deleted_visibility_facts(db, reporter, ids));
    if (found < ids.size()) throw base::NotFound();
}

void check_collections(
    db::Read& db, const statuses::Audience& reporter, AccountId owner, const std::vector<CollectionId>& ids
) {
    if (ids.empty()) return;
    if (reporter.relations->blocked_by.contains(owner)) throw base::NotFound();
    auto found = collections::collections(db, ids);
    auto theirs = std::ranges::count(found, owner, &collections::Collection::account_id);
    if (theirs < std::ssize(ids)) throw base::NotFound();
}

void check_rules(db::Read& db, Category category, const std::vector<RuleId>& ids) {
    if (ids.empty() && category == Category::violation)
        throw base::Invalid("Validation failed: Rule ids does not reference valid rules");
    if (!ids.empty() && db.one(count_rules, ids) < std::ssize(ids))
        throw base::Invalid("Validation failed: Rule ids does not reference valid rules");
}

// The other servers that are to hear of it: of those named, or the target's when none is.
std::vector<std::string> destinations(const accounts::Account& target, const Complaint& complaint) {
    if (target.local() || !complaint.forward) return {};
    if (complaint.forward_to.empty()) return {target.domain};
    std::vector<std::string> out;
    for (const auto& given : complaint.forward_to)
        if (auto domain = base::text::normalized_domain(given)) out.push_back(*domain);
    return distinct(std::move(out));
}

}  // namespace

const db::Command insert_report{
    "insert_report",
    R"(INSERT INTO reports (id, account_id, target_id, category, comment, status_ids, rule_ids, collection_ids,
                            forwarded, forward_to, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11))"
};

ReportId report(db::Write& db, const statuses::Audience& reporter, const Complaint& complaint) {
    auto target = accounts::account(db, complaint.target);
    if (target.suspended_at) throw base::NotFound();
    auto statuses = distinct(complaint.statuses);
    auto reported_collections = distinct(complaint.collections);
    auto rules = distinct(complaint.rules);
    auto who = accounts::account(db, reporter.viewer);
    if (who.local()) check_statuses(db, reporter, target.id, statuses);
    else if (visible_to_server(db, statuses, target.id, who.domain).size() < statuses.size())
        throw base::NotFound();
    check_collections(db, reporter, target.id, reported_collections);
    auto longest = who.local() ? longest_comment : longest_remote_comment;
    if (base::text::graphemes(complaint.comment) > longest)
        throw base::Invalid(
            "Validation failed: Comment is too long (maximum is " + std::to_string(longest) + " characters)"
        );
    check_rules(db, complaint.category, rules);
    auto to = destinations(target, complaint);
    std::optional<std::string> rules_json;
    if (!rules.empty()) rules_json = base::json::to_string(rules);
    auto id = db.new_id<ReportId>();
    db.run(
        insert_report,
        id,
        reporter.viewer,
        target.id,
        rules.empty() ? complaint.category : Category::violation,
        base::text::is_blank(complaint.comment) ? std::string() : complaint.comment,
        base::json::to_string(statuses),
        rules_json,
        base::json::to_string(reported_collections),
        std::ranges::find(to, target.domain) != to.end(),
        base::json::to_string(to),
        db.now()
    );
    keep_evidence(db, id, target.id, statuses, reported_collections);
    db.emit(Reported{id, reporter.viewer, target.id});
    return id;
}

namespace {

AccountId unused_account(db::Write& db, std::string_view setting, std::string name) {
    if (auto known = instance::setting(db, setting)) return {std::stoll(*known)};
    while (accounts::find_local(db, name)) name += "_";
    auto id = accounts::create(db, name);
    instance::set_setting(db, setting, std::to_string(id.value));
    return id;
}

}  // namespace

AccountId automatic_reporter(db::Write& db) {
    return unused_account(db, "rules_reporter", "moderation_rules");
}

AccountId stranger_reporter(db::Write& db) {
    return unused_account(db, "notices_reporter", "without_account");
}

#define REPORT_COLUMNS                                                                            \
    "SELECT id, account_id, target_id, category, comment, status_ids, rule_ids, collection_ids, " \
    "forwarded, action_taken_at, created_at FROM reports "

const db::Query<Report> reports_by_id{"reports_by_id", REPORT_COLUMNS "WHERE id IN LIST($1)"};

std::vector<Report> reports(db::Read& db, const std::vector<ReportId>& ids) {
    if (ids.empty()) return {};
    return db.all(reports_by_id, ids);
}

}  // namespace moderation
