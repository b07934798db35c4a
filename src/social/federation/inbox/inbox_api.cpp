// SPDX-License-Identifier: AGPL-3.0-or-later
// The inboxes. A request's signature is verified first; an accepted activity is stored in one row and
// processed later (inbox.hpp).
#include "ap/activity.hpp"
#include "ap/url.hpp"
#include "base/uris.hpp"
#include "http/errors.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/federation/delivery/delivery.hpp"
#include "social/federation/inbox/inbox.hpp"
#include "social/federation/inbox/unverified.hpp"
#include "social/federation/verifying/known_keys.hpp"
#include "social/former/former.hpp"

#include <charconv>

namespace federation {

namespace {

constexpr std::uint64_t most_bytes = 1 << 20;
// The Delete of an actor is smaller than this in all software.
constexpr std::uint64_t most_unsigned_bytes = 16 << 10;

// The result of a request: the response, and what is to be written first.
struct Arrival {
    http::Response answer;
    std::optional<FetchedKey> learned;
    std::optional<Item> item;
    std::string about;
    std::optional<Unverified> unverified;
    bool host_returns = false;  // deliveries to it failed, and now it sends
};

http::Response refusal(int status, std::string_view sentence) {
    auto answer = http::failure(status, sentence);
    if (status == 503) answer.headers.emplace_back("Retry-After", "300");
    return answer;
}

http::Response accepted() {
    http::Response response;
    response.status = 202;
    response.content_type.clear();
    return response;
}

[[noreturn]] void refuse(int status, std::string_view sentence) {
    throw http::Refusal(http::failure(status, sentence));
}

bool is_signed(const http::Request& request) {
    return !request.header("Signature").empty() || !request.header("Signature-Input").empty();
}

[[noreturn]] void refuse_unsigned() { refuse(401, "The request is not signed"); }

[[noreturn]] void ignore() { throw http::Refusal(accepted()); }

bool is_own_end(const ap::Activity& activity) {
    return (activity.is("Delete") || activity.is("Update")) && activity.object.id == activity.actor;
}

ap::SignedRequest signed_request(db::Read& db, const http::Request& request) {
    return {
        http::to_string(request.method), request.target, db.site().public_url, request.headers, request.body
    };
}

ap::Activity read(db::Read& db, const http::Request& request) {
    if (request.body.size() > most_bytes) refuse(413, "This is too large");
    auto document = ap::read_json(request.body);
    if (!document && !is_signed(request)) refuse_unsigned();
    if (!document) refuse(400, "This is not JSON");
    auto activity = ap::read_activity(*document, db.now());
    if (activity) return *std::move(activity);
    auto claims = ap::read_signature(signed_request(db, request), db.now());
    if (claims.claims.empty()) refuse(claims.refusal.status, claims.refusal.sentence);
    // There is nothing to do, whoever signed it.
    ignore();
}

Arrival inspect(const base::Ask& ask, db::Read& db, const http::Request& request, AccountId recipient) {
    auto activity = read(db, request);
    bool leaving = is_own_end(activity);
    if (leaving && !accounts::find_by_uri(db, activity.actor)) ignore();
    if (!is_signed(request)) refuse_unsigned();
    auto signed_one = signed_request(db, request);
    const auto seen = recipient ? std::string() : seen_as(activity);
    if (!seen.empty()) expect_seen(db, seen);
    expect_failing(db, ap::host_of(activity.actor));
    // If earlier activities signed with this key are waiting for verification, this one is queued behind
    // them.
    auto verdict =
        bringer(ask, db, signed_one, activity, {{}, [&](const std::string& key) { return !waits(db, key); }});
    if (!verdict.ok() && !verdict.not_asked) {
        auto answer = refusal(verdict.status, verdict.sentence);
        if (!verdict.learned) throw http::Refusal(std::move(answer));
        return {std::move(answer), std::move(verdict.learned), {}, {}, {}, false};
    }
    Arrival arrival{accepted(), std::move(verdict.learned), {}, subject_of(activity), {}, false};
    bool done = !seen.empty() && was_seen(db, seen);
    if (done && !arrival.learned) ignore();
    if (done) return arrival;
    if (verdict.not_asked) arrival.unverified = unverified(verdict, signed_one, recipient);
    else arrival.item = received(verdict, signed_one, recipient);
    arrival.host_returns = arrival.item && is_failing(db, ap::host_of(arrival.item->signer));
    return arrival;
}

http::Response receive(db::Write& db, const Arrival& arrival) {
    if (!arrival.unverified) db.beside_others();
    if (arrival.learned) remember(db, *arrival.learned);
    if (arrival.unverified && !keep(db, *arrival.unverified))
        return refusal(503, "Too much of this server waits to be verified");
    if (arrival.item) {
        keep(db, *arrival.item, arrival.about);
        if (arrival.host_returns) heard_from(db, ap::host_of(arrival.item->signer));
    }
    return arrival.answer;
}

// Only inserts one row, as nearly always.
bool adds_a_row(const std::any& prepared) {
    const auto& arrival = *std::any_cast<Arrival>(&prepared);
    return arrival.item && !arrival.unverified && !arrival.learned && !arrival.host_returns;
}

Arrival to_all(const base::Ask& ask, db::Read& db, const http::Request& request) {
    return inspect(ask, db, request, {});
}

struct ByName {
    std::string name;
};
DESCRIBE(ByName, name)

struct ById {
    AccountId id;
};
DESCRIBE(ById, id)

Arrival to_one(
    const base::Ask& ask, db::Read& db, const http::Request& request,
    const std::optional<accounts::Account>& who
) {
    if (!who || !who->local()) refuse(404, "There is nobody of this name here");
    if (who->suspended_at && accounts::is_gone(db, who->id)) refuse(410, "This account is gone");
    return inspect(ask, db, request, who->id);
}

// The inbox that an account, or the server's own actor, had on the previous server.
Arrival to_former(const base::Ask& ask, db::Read& db, const http::Request& request) {
    using base::uris::Kind;
    auto what = former::ours(db, db.site().public_url + std::string(request.path()));
    if (!what || what->kind != Kind::inbox) refuse(404, "There is nobody of this name here");
    if (!what->account && what->username.empty()) return to_all(ask, db, request);
    return to_one(
        ask,
        db,
        request,
        what->account ? accounts::find_account(db, what->account) : accounts::find_by_acct(db, what->username)
    );
}

Arrival to_named(const base::Ask& ask, db::Read& db, const http::Request& request, const ByName& path) {
    auto who = accounts::find_by_acct(db, path.name);
    if (!who && former::took_over()) return to_former(ask, db, request);
    return to_one(ask, db, request, who);
}

Arrival to_numbered(const base::Ask& ask, db::Read& db, const http::Request& request, const ById& path) {
    return to_one(ask, db, request, accounts::find_account(db, path.id));
}

// The sender is only verified when the body is complete. But unsigned requests are refused before the body,
// unless it is short enough for the Delete of an actor that is not known here: that needs no signature, as
// the key is deleted with the account.
void demand_signature(const http::Request& head) {
    if (is_signed(head)) return;
    const auto length = head.header("Content-Length");
    std::uint64_t bytes = 0;
    const auto read = std::from_chars(length.data(), length.data() + length.size(), bytes);
    if (length.empty() || read.ec != std::errc{} || bytes > most_unsigned_bytes) refuse_unsigned();
}

constexpr http::Route signed_body(http::Route route) {
    return route.raw().body_limit(most_bytes).screened(demand_signature).written_together(adds_a_row);
}

constexpr http::Route table[] = {
    signed_body(http::post<to_all, receive>("/inbox")),
    signed_body(http::post<to_all, receive>("/actor/inbox")),
    signed_body(http::post<to_named, receive>("/users/:name/inbox")),
    signed_body(http::post<to_numbered, receive>("/ap/users/:id/inbox")),
};

}  // namespace

std::span<const http::Route> inbox_routes() { return table; }

std::span<const http::Route> former_inbox_routes() {
    static constexpr http::Route former[] = {signed_body(http::post<to_former, receive>("/*/inbox"))};
    return former;
}

}  // namespace federation
