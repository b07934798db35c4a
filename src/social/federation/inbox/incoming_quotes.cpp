// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/inbox/incoming_quotes.hpp"

#include "ap/url.hpp"
#include "base/uris.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/federation/fetch/read_status.hpp"

namespace federation {

namespace {

// What quotes, embedded by its author or as its own server shows it.
std::optional<ap::Object> instrument(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& quoting = in.activity.instrument;
    auto document = quoting.embedded;
    if (!document || !ap::may_trust_embedded(in.activity, quoting)) {
        auto shown = fetch(ask, db, quoting.id, party_to(db, in));
        if (shown.outcome == FetchOutcome::failed) throw base::Unavailable();
        if (shown.outcome != FetchOutcome::found || shown.id != quoting.id) return std::nullopt;
        document = shown.document;
    }
    auto object = ap::read_object(document, db.now(), in.activity.actor);
    if (!object || object->attributed_to != in.activity.actor || !is_status(*object)) return std::nullopt;
    return *std::move(object);
}

}  // namespace

std::optional<statuses::QuoteWish> quote_wanted(const base::Ask& ask, db::Read& db, const ap::Incoming& in) {
    const auto& activity = in.activity;
    const auto& quoting = activity.instrument.id;
    if (activity.id.empty() || !has_our_host(db.site(), activity.object.id)) return std::nullopt;
    if (!ap::same_host(quoting, activity.actor)) return std::nullopt;
    auto quoted = statuses::find_by_uri(db, activity.object.id);
    if (!quoted || !statuses::may_ask_to_quote(db, in.actor, *quoted)) return std::nullopt;
    statuses::QuoteWish wish{in.actor, *quoted, activity.id, quoting, {}};
    if (statuses::find_by_uri(db, quoting)) return wish;
    auto object = instrument(ask, db, in);
    if (!object || object->id != quoting || !object->quote) return std::nullopt;
    if (statuses::find_by_uri(db, object->quote->id) != quoted) return std::nullopt;
    wish.unknown = status_of(db, *object, in.actor, activity.audience, {});
    wish.unknown->delivered = true;
    // Asking for leave is the newest of words.
    wish.unknown->quote->legacy = false;
    return wish;
}

bool take_quote_request(db::Write& db, const statuses::QuoteWish& wish) {
    statuses::answer_quote_request(db, wish);
    return true;
}

namespace {

// The quote that a request of ours was about, when its author answers.
std::optional<statuses::Leave> asked_for(db::Read& db, const ap::Incoming& in) {
    const auto& request = in.activity.object;
    std::optional<statuses::Leave> quote;
    auto ours = base::uris::ours(db.site(), request.id);
    if (ours && ours->kind == base::uris::Kind::deed && ours->deed == "quote_requests") {
        quote = statuses::leave_by_number(db, {ours->id});
    } else if (request.embedded) {
        auto quoting = statuses::find_by_uri(db, request.embedded["instrument"].id());
        if (quoting) quote = statuses::leave_of(db, *quoting);
    }
    if (!quote || !quote->account_local || quote->author != in.actor) return std::nullopt;
    return quote;
}

}  // namespace

std::optional<QuoteVerdict> allowed_quote(db::Read& db, const ap::Incoming& in) {
    constexpr std::size_t longest_stamp = 2048;
    auto quote = asked_for(db, in);
    const auto& stamp = in.activity.result.id;
    if (!quote || stamp.size() > longest_stamp || !ap::same_host(stamp, in.activity.actor))
        return std::nullopt;
    return QuoteVerdict{quote->status, stamp};
}

bool take_leave(db::Write& db, const QuoteVerdict& verdict) {
    return statuses::give_leave(db, verdict.quoting, verdict.stamp);
}

std::optional<QuoteVerdict> refused_quote(db::Read& db, const ap::Incoming& in) {
    auto quote = asked_for(db, in);
    if (!quote) return std::nullopt;
    return QuoteVerdict{quote->status, {}};
}

bool take_refusal(db::Write& db, const QuoteVerdict& verdict) {
    return statuses::refuse_leave(db, verdict.quoting);
}

std::optional<QuoteVerdict> revoked_quote(db::Read& db, const ap::Incoming& in) {
    if (in.activity.object.id.empty()) return std::nullopt;
    auto quote = statuses::leave_by_stamp(db, in.activity.object.id, in.actor);
    if (!quote) return std::nullopt;
    return QuoteVerdict{quote->status, {}};
}

}  // namespace federation
