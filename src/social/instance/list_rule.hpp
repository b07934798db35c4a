// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about other servers that lists brought, many at once. Each knows the lists that say so. What staff made by hand is
// never changed here, and an exception is no list's business.
#pragma once
#include "social/instance/domain_block.hpp"

#include <span>

namespace instance {

// What is stored of a suspended server is deleted after that (accounts/remote/server_purge.hpp).
constexpr std::int64_t suspended_servers_kept_seconds = 30 * 86'400;

using ListBatchId = base::Id<struct ListBatchTag>;

BOOST_DEFINE_ENUM_CLASS(RuleOrigin, hand, list, exception)

// As much of a rule as decides; all of them are read at once.
struct KnownRule {
    std::string domain;
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
    RuleOrigin origin = RuleOrigin::hand;
    std::int64_t priority = 0;  // of the lists that made it what it is
};
DESCRIBE(KnownRule, domain, severity, reject_media, reject_reports, origin, priority)
std::vector<KnownRule> known_rules(db::Read&);

// One line of a list; `domain` in its one spelling.
struct ListRule {
    std::string domain;
    Severity severity = Severity::suspend;
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::optional<std::string> public_comment;
};
DESCRIBE(ListRule, domain, severity, reject_media, reject_reports, obfuscate, public_comment)

// Of the lists that say something about a domain those of the highest priority (list_batches) decide: the rule is the strictest of theirs.

// Some lines of a list come into force, each domain once; nobody is told (ServerLimited). Where there is a rule made by hand
// or an exception, that stays.
void add_list_rules(db::Write&, ListBatchId, std::span<const ListRule>);

// What the end of a list means for the rules.
struct EndedRules {
    std::int64_t removed = 0;  // no other list says so
    std::int64_t kept = 0;     // others do, or staff decided otherwise since
};
EndedRules ending_of_list_rules(db::Read&, ListBatchId);                 // what it would be
EndedRules ending_of_lists(db::Read&, const std::vector<ListBatchId>&);  // if they ended together
std::vector<std::string> domains_in_force(db::Read&, ListBatchId, std::string_view after, int limit);
// Of these, which are in force; once it has been done for all of them nothing of the list is.
void end_list_rules(db::Write&, ListBatchId, const std::vector<std::string>& domains);
// Of a list that still holds some lines change, each about a domain that it has; what follows is begun (ServerLimited).
void change_list_rules(db::Write&, ListBatchId, std::span<const ListRule>);
// The priority of lists has changed that say so about these; what follows is begun.
void rank_list_rules(db::Write&, const std::vector<std::string>& domains);
// Of these, the rules that would be others if these lists had this priority, as they would be then.
std::vector<KnownRule> rules_if_ranked(
    db::Read&, const std::vector<ListBatchId>& lists, std::int64_t priority,
    const std::vector<std::string>& domains
);
// Of these, which would get a stricter rule if the list said nothing about them, as one of lower priority decided then.
std::vector<std::string> stricter_without(db::Read&, ListBatchId, const std::vector<std::string>& domains);
// The list never said so about these; what follows is begun, and a later list may say so again.
void withdraw_list_rules(db::Write&, ListBatchId, const std::vector<std::string>& domains);
// As far as lists made the rules about these, they are staff's from now on; and the list never said so.
void adopt_list_rules(db::Write&, ListBatchId, const std::vector<std::string>& domains);
// Rules about these domains go, whoever made them, and no list brings them back; how many there were.
int remove_domain_blocks(db::Write&, const std::vector<std::string>& domains);

std::vector<ListRule> rules_of_list(db::Read&, ListBatchId, std::string_view after, int limit);  // by domain
std::vector<ListRule> all_rules(db::Read&);  // also those made by hand; by domain
std::vector<std::string> domains_of_list(db::Read&, ListBatchId, std::string_view after, int limit);

// What limit_on() says of each of these domains, asked at once.
std::vector<DomainLimit> limits_on(db::Read&, const std::vector<std::string>& domains);

// ---- domains that no list decides about, nor about those below them ----

struct ListException {
    std::string domain, comment;
    base::Time created_at;
};
DESCRIBE(ListException, domain, comment, created_at)
std::vector<ListException> list_exceptions(db::Read&);  // by domain

// Rules that lists made about it or below go. Throws Invalid: no domain, or too many exceptions. Answers the domain.
std::string add_list_exception(db::Write&, std::string_view domain, const std::string& comment);
// Throws NotFound. What lists say of it holds from the next one on.
void remove_list_exception(db::Write&, std::string_view domain);
// Something about these domains has changed. An exception below a rule of lists has a rule of its own, which changes
// nothing; one that is not needed any more goes.
void settle_exceptions(db::Write&, const std::vector<std::string>& domains);
// As they are now, for many questions.
class Exceptions {
public:
    explicit Exceptions(db::Read&);
    bool hold_for(std::string_view domain) const;  // or for one above it

private:
    std::set<std::string, std::less<>> domains_;
};
// The rules of lists that an exception for this domain would end.
std::vector<std::string> rules_in_the_way(db::Read&, std::string_view domain);

}  // namespace instance
