// SPDX-License-Identifier: AGPL-3.0-or-later
// What this server tells others: activities, and the inboxes that they have yet to be brought to. Whoever wants something
// sent calls send(); who receives a post is worked out in delivery_scope.hpp; queue.hpp is for the thread that sends.
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
    std::string body;              // of the request, as it is signed
    std::string object;            // what it is about; an inbox hears of one object in the order of sending
    bool low = false;              // may be given up sooner
    bool always = false;           // even to hosts that seem to be gone
    bool synchronized = false;     // with the digest of the signer's followers there
    bool deletion_notice = false;  // even to blocked domains
};

// Announced when deliveries were written.
constexpr std::string_view delivery_channel = "deliveries";

// Each inbox once, however often it is named. Left out are our own host, blocked ones and those that have not
// answered for days. Nothing at all is written when nobody is left.
void send(db::Write&, const OutgoingActivity&, const std::vector<std::string>& inboxes);

// The same in several transactions: the activity first, under a number that it was given when things happened, then
// its inboxes as they are found.
void record(db::Write&, ActivityId, const OutgoingActivity&);
bool is_recorded(db::Read&, ActivityId);
void record_again(db::Write&, ActivityId, const std::string& body);  // with other words
// Those that it will be brought to.
std::vector<std::string> deliver(db::Write&, ActivityId, const std::vector<std::string>& inboxes);

// Whether deliveries to it have failed lately (`host` with its port, where one is written).
bool is_failing(db::Read&, const std::string& host);
void expect_failing(db::Read&, const std::string& host);  // asked next
// Somebody there is alive (`host` with its port, where one is written): it is told everything again.
void heard_from(db::Write&, const std::string& host);

// Reactions: what waits for a server that is suspended now goes to nobody. Its hosts are looked for by their names.
struct StoppingContinued {
    std::string domain, after;
};
DESCRIBE(StoppingContinued, domain, after)
jobs::Change stop_deliveries(db::Read&, const instance::ServerLimited&);
jobs::Change stop_more_deliveries(db::Read&, const StoppingContinued&);

// Activities that have reached everybody go: periodic, and for what one run leaves a reaction.
struct PurgingContinued {
    ActivityId after;
};
DESCRIBE(PurgingContinued, after)
jobs::Change purge_activities(db::Read&);
jobs::Change purge_more_activities(db::Read&, const PurgingContinued&);

// Domains that this server does not communicate with. Of several rules about a host and those above it the longest decides.
class BlockedHosts {
public:
    explicit BlockedHosts(db::Read&);
    BlockedHosts(db::Read&, const std::vector<std::string>& hosts);  // for these alone
    bool contains(std::string_view host) const;

private:
    std::map<std::string, bool, std::less<>> rules_;  // whether that suspends
};

}  // namespace federation
