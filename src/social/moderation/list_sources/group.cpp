// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/list_sources/group.hpp"

#include "social/moderation/list_sources/fires.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace moderation {

using instance::ListRule, instance::Severity;

const db::Query<ListSourceId> members_of_list_group{
    "members_of_list_group", "SELECT source_id FROM list_group_members WHERE group_id = $1 ORDER BY source_id"
};
const db::Query<ListSourceId> groups_of_list_source{
    "groups_of_list_source", "SELECT group_id FROM list_group_members WHERE source_id = $1 ORDER BY group_id"
};
const db::Command insert_group_member{
    "insert_group_member", "INSERT INTO list_group_members (group_id, source_id) VALUES ($1, $2)"
};
const db::Command delete_group_members{
    "delete_group_members", "DELETE FROM list_group_members WHERE group_id = $1"
};
const db::Command delete_group_memberships{
    "delete_group_memberships", "DELETE FROM list_group_members WHERE source_id = $1"
};

std::vector<ListSourceId> member_ids(db::Read& db, ListSourceId group) {
    return db.all(members_of_list_group, group);
}

std::vector<ListSource> members_of_group(db::Read& db, ListSourceId group) {
    std::vector<ListSource> out;
    for (const auto id : member_ids(db, group)) out.push_back(list_source(db, id));
    return out;
}

std::vector<ListSourceId> groups_of(db::Read& db, ListSourceId member) {
    return db.all(groups_of_list_source, member);
}

namespace {

// How many members ask for what of a domain.
struct Votes {
    std::int64_t accepting = 0, suspending = 0, silencing = 0, rejecting_media = 0, rejecting_reports = 0;
    bool obfuscate = false;
    std::optional<std::string> comment;  // of the first that says why

    void add(const ListRule& rule) {
        const bool suspends = rule.severity == Severity::suspend;
        suspending += suspends;
        silencing += suspends || rule.severity == Severity::silence;
        rejecting_media += suspends || rule.reject_media;
        rejecting_reports += suspends || rule.reject_reports;
        obfuscate |= rule.obfuscate;
        if (!comment) comment = rule.public_comment;
    }
    ListRule rule(const std::string& domain, std::int64_t agree) const {
        ListRule out;
        out.domain = domain;
        out.severity = suspending >= agree  ? Severity::suspend
                       : silencing >= agree ? Severity::silence
                                            : Severity::noop;
        out.reject_media = rejecting_media >= agree;
        out.reject_reports = rejecting_reports >= agree;
        out.obfuscate = obfuscate;
        out.public_comment = comment;
        return out;
    }
};

std::map<std::string, Votes> votes_in(db::Read& db, ListSourceId group) {
    std::map<std::string, Votes> out;
    for (const auto& member : members_of_group(db, group))
        for (const auto& one : copy_of(db, member.id)) {
            if (accepts(one)) ++out[one.key].accepting;
            if (member.role == SourceRole::allow) continue;
            if (const auto rule = rule_of(one, member.ceiling)) out[rule->domain].add(*rule);
        }
    return out;
}

}  // namespace

Copy agreement(db::Read& db, const ListSource& group) {
    Copy out;
    for (const auto& [domain, votes] : votes_in(db, group.id)) {
        if (group.role == SourceRole::allow) {
            if (votes.accepting < group.agree) continue;
            out.push_back({.key = domain, .policy = AdvicePolicy::accept});
        } else {
            auto advice = advice_of(votes.rule(domain, group.agree));
            if (rule_of(advice, Ceiling::suspend)) out.push_back(std::move(advice));
        }
    }
    if (out.size() > most_list_lines) throw Unreadable("Its members agree on more than 20,000 domains");
    return out;
}

void set_members(
    db::Write& db, ListSourceId group, std::int64_t agree, const std::vector<ListSourceId>& members
) {
    std::set<std::int64_t> all;
    for (const auto id : members) all.insert(id.value);
    if (agree < 1 || agree > std::ssize(all))
        throw base::Invalid("At least one and at most all lists of a group must agree");
    for (const auto value : all) {
        const auto member = find_list_source(db, ListSourceId{value});
        if (!member || member->kind == SourceKind::group)
            throw base::Invalid("A group is made of subscribed lists that are no groups");
    }
    db.run(delete_group_members, group);
    for (const auto value : all) db.run(insert_group_member, group, ListSourceId{value});
}

void leave_groups(db::Write& db, ListSourceId id) {
    db.run(delete_group_members, id);
    db.run(delete_group_memberships, id);
}

void tell_groups(db::Write& db, ListSourceId member) {
    for (const auto group : groups_of(db, member)) db.emit(SourceDue{group});
}

}  // namespace moderation
