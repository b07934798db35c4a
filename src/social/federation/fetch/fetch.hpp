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

// A GET of another server, signed with the key of an account here (0: of the server).
struct Get {
    std::string url;
    AccountId signer;
    bool page = false;      // a page for people is welcome, too
    bool bulk = false;      // as base::Fetch says
    bool one_type = false;  // nothing but application/activity+json
    using Answer = base::Fetched;
};
DESCRIBE(Get, url, signer, page, bulk, one_type)

// The same for the key of somebody who may be a stranger: threads of its own wait for it, and `busy` answers where they are
// all taken.
struct GetKey {
    Get get;
    using Answer = base::Fetched;
};
DESCRIBE(GetKey, get)

BOOST_DEFINE_ENUM_CLASS(
    FetchOutcome, found,
    missing,  // 404
    gone,     // 410
    refused,  // by them, or by the rules below
    failed    // may pass
)
FetchOutcome outcome_of(const base::Fetched&);

// A document that the server of its id has confirmed.
struct VerifiedDocument {
    FetchOutcome outcome = FetchOutcome::failed;
    std::string id;
    ap::Document document;
    bool asked = true;             // false: we do not ask its server now; then `failed`
    std::int64_t retry_after = 0;  // in how many seconds we do, where that is known
};

// Never our own host nor one that is blocked; only answers of an ActivityPub type; the id must be the address that
// answered, or is asked in turn, once. `page`: the address was typed by a person and may be that of a page that names
// the document.
VerifiedDocument fetch(
    const base::Ask&, db::Read&, std::string_view url, AccountId signer = {}, bool page = false
);
VerifiedDocument fetch_of_key(const base::Ask&, db::Read&, std::string_view url);
// One of very many, for a job: throws jobs::Reschedule when its host was asked often enough for now.
VerifiedDocument fetch_bulk(const base::Ask&, db::Read&, std::string_view url);
void reschedule_when_busy(const base::Fetched&);  // the same of any answer to a question in bulk
// How long to wait with what a host was not asked because others ask it now.
std::int64_t busy_seconds(std::int64_t retry_after);
// What failed may go better another time: throws jobs::Reschedule when its host was not asked, else base::Unavailable.
[[noreturn]] void try_again(const VerifiedDocument&);
void reschedule_or_fail(const accounts::Resolved&);  // the same, when what was looked for failed

// Whether another server may be asked for this at all.
bool may_ask(db::Read&, std::string_view url);
// Ours to look up, whatever others say about it.
bool has_our_host(const base::Site&, std::string_view url);

// Which account signs the request when another server is asked for what it does not show to everybody.

// A local account that may see it: a recipient, somebody addressed or mentioned, or a follower of its author. 0, the
// server itself, for what is public and where there is no such account.
base::AccountId fetch_signer(db::Read&, const ap::Incoming&);
base::AccountId fetch_signer(db::Read&, base::StatusId);

// Whether they follow an account of the server of this address, which then may show them more.
bool follows_somebody_at(db::Read&, base::AccountId, const std::string& url);

// The answer to accounts::Resolve: who or what another server has under a handle, an id or an address, stored here.

// Blocks; for threads that may wait.
accounts::Resolved resolve(const jobs::Sessions&, const accounts::Resolve&);

}  // namespace federation
