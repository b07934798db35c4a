// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about other servers that come from lists, in batches. Each rule records the lists that contain it.
// Rules that staff made by hand are never changed here, and exceptions are exempt from lists.
#pragma once
#include "social/instance/domain_block.hpp"

#include <span>

namespace instance {

// Stored data of a suspended server is deleted after this period (accounts/remote/server_purge.hpp).
constexpr std::int64_t suspended_servers_kept_seconds = 30 * 86'400;

using ListBatchId = base::Id<struct ListBatchTag>;

BOOST_DEFINE_ENUM_CLASS(RuleOrigin, hand, list, exception)

// The fields of a rule that decide; all rules are read at once.
struct KnownRule {
    std::string domain;
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
    RuleOrigin origin = RuleOrigin::hand;
    std::int64_t priority = 0;  // of the lists that determine it
};
DESCRIBE(KnownRule, domain, severity, reject_media, reject_reports, origin, priority)
std::vector<KnownRule> known_rules(db::Read&);

// One line of a list; `domain` is normalised.
struct ListRule {
    std::string domain;
    Severity severity = Severity::suspend;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::optional<std::string> public_comment;
};
DESCRIBE(ListRule, domain, severity, reject_media, reject_reports, obfuscate, public_comment)

// If several lists contain a domain, those of the highest priority (list_batches) decide: the rule is the
// strictest of theirs.

// Applies some lines of a list, each domain once, without emitting ServerLimited. Rules made by hand and
// exceptions stay unchanged.
void add_list_rules(db::Write&, ListBatchId, std::span<const ListRule>);

// The effect on the rules if a list ends.
struct EndedRules {
    std::int64_t removed = 0;  // rules that no other list contains
    std::int64_t kept = 0;     // rules of other lists, or changed by staff since
};
EndedRules ending_of_list_rules(db::Read&, ListBatchId);                 // if it ended now
EndedRules ending_of_lists(db::Read&, const std::vector<ListBatchId>&);  // if they end together
std::vector<std::string> domains_in_force(db::Read&, ListBatchId, std::string_view after, int limit);
// Ends the list for these domains, which are in force; when that was done for all of them, nothing of the
// list is left.
void end_list_rules(db::Write&, ListBatchId, const std::vector<std::string>& domains);
// Changes some lines of an active list, each about a domain that it contains; emits ServerLimited.
void change_list_rules(db::Write&, ListBatchId, std::span<const ListRule>);
// The priority of lists that contain these domains has changed; emits ServerLimited where the rule changes.
void rank_list_rules(db::Write&, const std::vector<std::string>& domains);
// The rules about these domains that would change if the lists had this priority, in their new form.
std::vector<KnownRule> rules_if_ranked(
    db::Read&, const std::vector<ListBatchId>& lists, std::int64_t priority,
    const std::vector<std::string>& domains
);
// Those of these domains that would get a stricter rule if the list did not contain them, because a list of
// lower priority would decide.
std::vector<std::string> stricter_without(db::Read&, ListBatchId, const std::vector<std::string>& domains);
// Removes these domains from the list as if it had never contained them; emits ServerLimited, and a later
// list may add them again.
void withdraw_list_rules(db::Write&, ListBatchId, const std::vector<std::string>& domains);
// Turns rules that lists made about these domains into rules of staff, and removes the domains from the list.
void adopt_list_rules(db::Write&, ListBatchId, const std::vector<std::string>& domains);
// Removes rules about these domains, whoever made them, and stops lists from restoring them; returns how many
// there were.
int remove_domain_blocks(db::Write&, const std::vector<std::string>& domains);

std::vector<ListRule> rules_of_list(db::Read&, ListBatchId, std::string_view after, int limit);  // by domain
std::vector<ListRule> all_rules(db::Read&);  // including those made by hand; by domain
std::vector<std::string> domains_of_list(db::Read&, ListBatchId, std::string_view after, int limit);

// limit_on() for each of these domains, in one query.
std::vector<DomainLimit> limits_on(db::Read&, const std::vector<std::string>& domains);

// Exceptions: domains that lists do not decide about, including their subdomains.

struct ListException {
    std::string domain, comment;
    base::Time created_at;
};
DESCRIBE(ListException, domain, comment, created_at)
std::vector<ListException> list_exceptions(db::Read&);  // by domain

// Removes rules that lists made about it or its subdomains. Throws Invalid: not a domain, or too many
// exceptions. Returns the normalised domain.
std::string add_list_exception(db::Write&, std::string_view domain, const std::string& comment);
// Throws NotFound. Lists that are applied later may decide about it again.
void remove_list_exception(db::Write&, std::string_view domain);
// Must be called when rules about these domains have changed. An exception below a rule of a list gets a rule
// of its own that has no effect; such rules are removed when they are not needed any more.
void settle_exceptions(db::Write&, const std::vector<std::string>& domains);
// The present exceptions, for many lookups.
class Exceptions {
public:
    explicit Exceptions(db::Read&);
    bool hold_for(std::string_view domain) const;  // or a parent domain

private:
    std::set<std::string, std::less<>> domains_;
};
// The rules of lists that an exception for this domain would end.
std::vector<std::string> rules_in_the_way(db::Read&, std::string_view domain);

}  // namespace instance
