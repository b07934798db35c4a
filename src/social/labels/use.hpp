// SPDX-License-Identifier: AGPL-3.0-or-later
// Uses of labels, and their sources. A label is on something only once: the first source is kept, but staff
// replaces a rule or a list, which may later remove their labels themselves.
#pragma once
#include "base/page.hpp"
#include "social/labels/label.hpp"

#include <span>

namespace labels {

using UseId = base::Id<struct LabelUseTag>;

BOOST_DEFINE_ENUM_CLASS(BearerKind, account, status, server)
BOOST_DEFINE_ENUM_CLASS(UseSource, staff, rule, list)

constexpr std::int64_t most_on_one = 20, most_labelled_servers = 20'000;

struct Bearer {
    BearerKind kind = BearerKind::account;
    std::int64_t id = 0;  // of an account or a status
    std::string domain;   // of a server, normalised

    static Bearer of(AccountId id) { return {BearerKind::account, id.value, {}}; }
    static Bearer of(StatusId id) { return {BearerKind::status, id.value, {}}; }
    static Bearer server(std::string domain) { return {BearerKind::server, 0, std::move(domain)}; }
};

struct Source {
    UseSource kind = UseSource::staff;
    std::int64_t id = 0;  // of the account (0: the operator), the rule or the source of a list
};

struct Use {
    UseId id;
    LabelId label_id;
    BearerKind subject = BearerKind::account;
    std::int64_t subject_id = 0;
    std::string domain;
    UseSource source = UseSource::staff;
    std::int64_t source_id = 0;
    Time created_at;
};
DESCRIBE(Use, id, label_id, subject, subject_id, domain, source, source_id, created_at)

// Returns false if it is there already, from a source that this one does not replace. If there are too many
// labels on it, or too many servers with one, staff gets Invalid, and rules and lists are ignored.
bool put(db::Write&, LabelId, const Bearer&, const Source&);
bool take(db::Write&, LabelId, const Bearer&);                    // from any source; false: it was not there
bool take_of(db::Write&, LabelId, const Bearer&, const Source&);  // only if it is from this source

std::vector<Use> uses_of(db::Read&, LabelId, const base::Range&);  // newest first
std::vector<LabelId> labels_on(db::Read&, const Bearer&);          // for a server: only its own

struct LabelledServer {
    std::string domain;
    LabelId label_id;
};
DESCRIBE(LabelledServer, domain, label_id)
std::vector<LabelledServer> labelled_servers(db::Read&);

// Many at once, for lists; servers with too many labels are skipped, as are those beyond the limit.
void put_on_servers(db::Write&, LabelId, std::span<const std::string> domains, const Source&);
// Only those from this source.
void take_from_servers(db::Write&, std::span<const LabelledServer>, const Source&);
std::vector<LabelledServer> servers_labelled_by(db::Read&, const Source&);  // by domain

struct Found {
    std::int64_t subject_id = 0;
    LabelId label_id;
};
DESCRIBE(Found, subject_id, label_id)
// The labels of many statuses and accounts. Two queries that are sent together.
struct FoundOnes {
    std::vector<Found> on_statuses, on_accounts;
};
FoundOnes labels_among(db::Read&, const std::vector<StatusId>&, const std::vector<AccountId>&);

void forget_bearer(db::Write&, const Bearer&);  // it was deleted
extern const db::Command
    drop_labels_of_account;  // at most $2 rows of the account $1 (server/private_rows.cpp)

}  // namespace labels
