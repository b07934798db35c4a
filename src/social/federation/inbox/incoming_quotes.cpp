// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/incoming_quotes.hpp"

#include "ap/url.hpp"
#include "base/uris.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/fetch/read_status.hpp"
#include "social/former/former.hpp"

namespace federation {

std::optional<ap::Object> instrument(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& post = in.activity.instrument;
    auto document = post.embedded;
    if (!document || !ap::may_trust_embedded(in.activity, post)) {
        auto shown = fetch(ask, db, post.id, fetch_signer(db, in));
        if (shown.outcome == FetchOutcome::failed) throw base::Unavailable();
        if (shown.outcome != FetchOutcome::found || shown.id != post.id) return std::nullopt;
        document = shown.document;
    }
    auto object = ap::read_object(document, db.now(), in.activity.actor);
    if (!object || object->attributed_to != in.activity.actor || !is_status(*object)) return std::nullopt;
    return *std::move(object);
}

std::optional<statuses::QuoteRequest> quote_wanted(
    const base::Ask& ask, db::Read& db, const ap::Incoming& in
) {
    const auto& activity = in.activity;
    const auto& quoting = activity.instrument.id;
    if (activity.id.empty() || !has_our_host(db.site(), activity.object.id)) return std::nullopt;
    if (!ap::same_host(quoting, activity.actor)) return std::nullopt;
    auto quoted = statuses::find_by_uri(db, activity.object.id);
    if (!quoted || !statuses::may_ask_to_quote(db, in.actor, *quoted)) return std::nullopt;
    statuses::QuoteRequest asked{in.actor, *quoted, activity.id, quoting, {}};
    auto known = statuses::find_by_uri(db, quoting);
    if (known && statuses::quote_authorization_of(db, *known)) return asked;
    // Hollo names the quoted post only in the request, and in the post itself once the author agrees.
    auto object = instrument(ask, db, in);
    bool quotes = object && object->id == quoting && object->quote &&
                  statuses::find_by_uri(db, object->quote->id) == quoted;
    if (!quotes) return known ? std::optional(asked) : std::nullopt;
    asked.instrument = status_of(db, *object, in.actor, activity.audience, {});
    asked.instrument->delivered = true;
    // A QuoteRequest asks for a new authorization, so it replaces the known state.
    asked.instrument->quote->legacy = false;
    if (!known) statuses::judge(db, *asked.instrument);
    return asked;
}

bool take_quote_request(db::Write& db, const statuses::QuoteRequest& asked) {
    statuses::answer_quote_request(db, asked);
    return true;
}

namespace {

// The quote of our request, if the quoted author answers.
std::optional<statuses::StatusQuoteAuthorization> asked_for(db::Read& db, const ap::Incoming& in) {
    const auto& request = in.activity.object;
    std::optional<statuses::StatusQuoteAuthorization> quote;
    auto ours = former::ours(db, request.id);
    if (ours && ours->kind == base::uris::Kind::action && ours->action == "quote_requests") {
        quote = statuses::quote_authorization_by_id(db, {ours->id});
    } else if (request.embedded) {
        auto quoting = statuses::find_by_uri(db, request.embedded["instrument"].id());
        if (quoting) quote = statuses::quote_authorization_of(db, *quoting);
    }
    if (!quote || !quote->account_local || quote->author != in.actor) return std::nullopt;
    return quote;
}

}  // namespace

std::optional<QuoteVerdict> allowed_quote(db::Read& db, const ap::Incoming& in) {
    constexpr std::size_t longest_authorization_uri = 2048;
    auto quote = asked_for(db, in);
    const auto& authorization_uri = in.activity.result.id;
    if (!quote || authorization_uri.size() > longest_authorization_uri ||
        !ap::same_host(authorization_uri, in.activity.actor))
        return std::nullopt;
    return QuoteVerdict{quote->status, authorization_uri};
}

bool take_quote_authorization(db::Write& db, const QuoteVerdict& verdict) {
    return statuses::authorize_quote(db, verdict.quoting, verdict.authorization_uri);
}

std::optional<QuoteVerdict> refused_quote(db::Read& db, const ap::Incoming& in) {
    auto quote = asked_for(db, in);
    if (!quote) return std::nullopt;
    return QuoteVerdict{quote->status, {}};
}

bool take_refusal(db::Write& db, const QuoteVerdict& verdict) {
    return statuses::refuse_quote(db, verdict.quoting);
}

std::optional<QuoteVerdict> revoked_quote(db::Read& db, const ap::Incoming& in) {
    if (in.activity.object.id.empty()) return std::nullopt;
    auto quote = statuses::quote_authorization_by_uri(db, in.activity.object.id, in.actor);
    if (!quote) return std::nullopt;
    return QuoteVerdict{quote->status, {}};
}

}  // namespace federation
