// SPDX-License-Identifier: AGPL-3.0-or-later
// The one place where a document of another server is fetched and verified.
#pragma once
#include "ap/document.hpp"
#include "ap/incoming.hpp"
#include "base/ask.hpp"
#include "base/fetch.hpp"
#include "db/session.hpp"
#include "jobs/sessions.hpp"
#include "social/accounts/remote/resolve.hpp"

#include <boost/describe/enum.hpp>
#include <string>

namespace federation {

using base::AccountId;

// A GET to another server, signed with the key of a local account (0: the server's own actor).
struct Get {
    std::string url;
    AccountId signer;
    bool page = false;      // also accept HTML
    bool bulk = false;      // as base::Fetch says
    bool one_type = false;  // accept only application/activity+json
    using Answer = base::Fetched;
};
DESCRIBE(Get, url, signer, page, bulk, one_type)

// The same for a signing key, which may be a stranger's: it is waited for on separate threads, and fails with
// `busy` when all of them are taken.
struct GetKey {
    Get get;
    using Answer = base::Fetched;
};
DESCRIBE(GetKey, get)

BOOST_DEFINE_ENUM_CLASS(
    FetchOutcome, found,
    missing,  // 404
    gone,     // 410
    refused,  // by the server, or by the rules below
    failed    // temporarily
)
FetchOutcome outcome_of(const base::Fetched&);

// A document confirmed by the server of its id.
struct VerifiedDocument {
    FetchOutcome outcome = FetchOutcome::failed;
    std::string id;
    ap::Document document;
    bool asked = true;             // false: its server is not being asked at the moment; then `failed`
    std::int64_t retry_after = 0;  // seconds until it will be, if known
};

// Never requests our own host or a blocked one, and takes only responses of an ActivityPub type. If the id is
// not the address that answered, the id is fetched in turn, once. `page`: the address was typed by a person
// and may be that of an HTML page that links to the document.
VerifiedDocument fetch(
    const base::Ask&, db::Read&, std::string_view url, AccountId signer = {}, bool page = false
);
VerifiedDocument fetch_of_key(const base::Ask&, db::Read&, std::string_view url);
// One of very many, for a job: throws jobs::Reschedule when its host has been asked often enough for now.
VerifiedDocument fetch_bulk(const base::Ask&, db::Read&, std::string_view url);
void reschedule_when_busy(const base::Fetched&);  // the same for any response to a bulk request
// How long to wait when a host was not asked because other requests to it are running.
std::int64_t busy_seconds(std::int64_t retry_after);
// For failures that may be temporary: throws jobs::Reschedule when the host was not asked, else
// base::Unavailable.
[[noreturn]] void try_again(const VerifiedDocument&);
void reschedule_or_fail(const accounts::Resolved&);  // the same, if the lookup failed

// Whether another server may be asked for this at all.
bool may_ask(db::Read&, std::string_view url);
// Whether the URL is on one of our own hosts, so that it is looked up here, whatever others say.
bool has_our_host(const base::Site&, std::string_view url);

// The account that signs a request for something which another server does not show to everybody.

// A local account that may see it: a recipient, somebody addressed or mentioned, or a follower of its author. 0, the
// server itself, for what is public and where there is no such account.
base::AccountId fetch_signer(db::Read&, const ap::Incoming&);
base::AccountId fetch_signer(db::Read&, base::StatusId);

// Whether the account follows somebody on the server of this address, which then may show it more.
bool follows_somebody_at(db::Read&, base::AccountId, const std::string& url);

// The answer to accounts::Resolve: fetches and stores the account or status with this handle, id or address.

// Blocks; for threads that may wait.
accounts::Resolved resolve(const jobs::Sessions&, const accounts::Resolve&);

}  // namespace federation
