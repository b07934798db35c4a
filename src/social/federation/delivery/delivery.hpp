// SPDX-License-Identifier: AGPL-3.0-or-later
// Outgoing activities, and the inboxes that they still have to be delivered to. To send something, call
// send(); the recipients of a post are determined in delivery_scope.hpp; queue.hpp is for the thread that
// sends.
#pragma once
#include "db/session.hpp"
#include "jobs/reactions.hpp"
#include "social/instance/domain_block.hpp"

#include <map>

namespace federation {

using base::AccountId;
using base::Time;
using ActivityId = base::Id<struct ActivityTag>;

struct OutgoingActivity {
    AccountId signer;              // 0: the server's own actor
    std::string body;              // of the request, exactly as signed
    std::string object;            // what it is about; each inbox gets those about one object in order
    bool low = false;              // may be given up sooner
    bool always = false;           // even to hosts that are considered unavailable
    bool synchronized = false;     // with the digest of the signer's followers there
    bool deletion_notice = false;  // even to blocked domains
};

// Announced when deliveries were written.
constexpr std::string_view delivery_channel = "deliveries";

// Sends to each inbox once, however often it is listed, except on our own host, on blocked ones and on those
// that have not answered for days. Writes nothing when no inbox is left.
void send(db::Write&, const OutgoingActivity&, const std::vector<std::string>& inboxes);

// The same in several transactions: first the activity, with an id reserved when its cause happened, then its
// inboxes as they are found.
void record(db::Write&, ActivityId, const OutgoingActivity&);
bool is_recorded(db::Read&, ActivityId);
void record_again(db::Write&, ActivityId, const std::string& body);  // with a new body
// Returns the inboxes that it will be delivered to.
std::vector<std::string> deliver(db::Write&, ActivityId, const std::vector<std::string>& inboxes);

// Whether deliveries to it have failed lately (`host` with its port, where one is written).
bool is_failing(db::Read&, const std::string& host);
void expect_failing(db::Read&, const std::string& host);  // db::Read::expect
// This host (with its port, where one is written) sent something, so deliveries to it are resumed.
void heard_from(db::Write&, const std::string& host);

// Reactions: pending deliveries to a server that has been suspended are deleted. Its hosts are found by name.
struct StoppingContinued {
    std::string domain, after;
};
DESCRIBE(StoppingContinued, domain, after)
jobs::Change stop_deliveries(db::Read&, const instance::ServerLimited&);
jobs::Change stop_more_deliveries(db::Read&, const StoppingContinued&);

// Deletes activities without pending deliveries: periodic, with a reaction for what one run leaves.
struct PurgingContinued {
    ActivityId after;
};
DESCRIBE(PurgingContinued, after)
jobs::Change purge_activities(db::Read&);
jobs::Change purge_more_activities(db::Read&, const PurgingContinued&);

// Domains that this server does not communicate with. Of several rules that match a host or its parent
// domains, the longest domain decides.
class BlockedHosts {
public:
    explicit BlockedHosts(db::Read&);
    BlockedHosts(db::Read&, const std::vector<std::string>& hosts);  // for these alone
    bool contains(std::string_view host) const;

private:
    std::map<std::string, bool, std::less<>> rules_;  // domain -> whether the rule suspends it
};

}  // namespace federation
