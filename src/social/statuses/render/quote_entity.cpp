// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/quote_entity.hpp"

#include <algorithm>

namespace statuses {

namespace {

std::vector<StatusId> unknown_quoted(const RenderedStatuses& rendered_statuses, const QuotedStatuses& known) {
    std::vector<StatusId> out;
    for (const auto& [id, rendered] : rendered_statuses)
        if (rendered->quote && !known.facts.contains(rendered->quote->id)) out.push_back(rendered->quote->id);
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    return out;
}

}  // namespace

QuotedStatuses quoted_statuses(db::Read& db, const Audience& audience, RenderedStatuses& page) {
    QuotedStatuses out;
    std::vector<RenderedStatusKey> keys;
    for (const auto& f : visibility_facts(db, audience, unknown_quoted(page, out))) {
        out.facts.emplace(f.id, f);
        if (!visible(f, audience)) continue;
        out.page.push_back(f);
        if (!page.contains(f.id)) keys.push_back({f.id, f.version});
    }
    if (!keys.empty()) page.merge(rendered_statuses(db, keys));
    for (const auto& f : visibility_facts(db, audience, unknown_quoted(page, out)))
        out.facts.emplace(f.id, f);
    return out;
}

ShownQuoteState shown_state(
    const RenderedStatus& quoting, const VisibilityFacts* quoted, const Audience& audience
) {
    if (!quoted) return ShownQuoteState::deleted;
    switch (quoting.quote->state) {
        case QuoteState::pending: return ShownQuoteState::pending;
        case QuoteState::rejected: return ShownQuoteState::rejected;
        case QuoteState::revoked: return ShownQuoteState::revoked;
        case QuoteState::deleted: return ShownQuoteState::deleted;
        case QuoteState::accepted: break;
    }
    if (!visible(*quoted, audience)) return ShownQuoteState::unauthorized;
    const auto* relations = audience.relations.get();
    if (!relations || quoted->account_id == audience.viewer) return ShownQuoteState::accepted;
    if (relations->blocking.contains(quoted->account_id)) return ShownQuoteState::blocked_account;
    if (quoted->domain_hidden) return ShownQuoteState::blocked_domain;
    if (relations->mutes(quoted->account_id, audience.now)) return ShownQuoteState::muted_account;
    return ShownQuoteState::accepted;
}

bool comes_with_status(ShownQuoteState state) {
    switch (state) {
        case ShownQuoteState::accepted:
        case ShownQuoteState::blocked_account:
        case ShownQuoteState::blocked_domain:
        case ShownQuoteState::muted_account: return true;
        default: return false;
    }
}

}  // namespace statuses
