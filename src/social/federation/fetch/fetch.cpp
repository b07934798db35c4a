// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/fetch.hpp"

#include "ap/url.hpp"
#include "base/text/utf8.hpp"
#include "jobs/reactions.hpp"
#include "social/instance/domain_block.hpp"

namespace federation {

using base::FetchFailure;

bool has_our_host(const base::Site& site, std::string_view url) {
    auto host = ap::host_of(url);
    return !host.empty() && (host == site.domain || host == ap::host_of(site.public_url));
}

bool may_ask(db::Read& db, std::string_view url) {
    if (!ap::is_web_url(url) || has_our_host(db.site(), url)) return false;
    return !instance::limit_on(db, ap::host_of(url)).suspended;
}

FetchOutcome outcome_of(const base::Fetched& answer) {
    switch (answer.failure) {
        case FetchFailure::none: break;
        case FetchFailure::bad_url:
        case FetchFailure::forbidden_address:
        case FetchFailure::too_large:
        case FetchFailure::too_many_redirects: return FetchOutcome::refused;
        default: return FetchOutcome::failed;
    }
    if (answer.status == 200) return FetchOutcome::found;
    if (answer.status == 404) return FetchOutcome::missing;
    if (answer.status == 410) return FetchOutcome::gone;
    bool passes = answer.status == 408 || answer.status == 429 || answer.status >= 500;
    return passes ? FetchOutcome::failed : FetchOutcome::refused;
}

namespace {

// One `<…>; rel="alternate"; type="application/activity+json"` of a Link header.
std::string linked_in_header(std::string_view header) {
    while (!header.empty()) {
        auto open = header.find('<'), close = header.find('>');
        if (open == header.npos || close == header.npos || close < open) return {};
        auto end = header.find(",", close);
        auto what = base::text::ascii_lowered(header.substr(close, end == header.npos ? end : end - close));
        bool alternate =
            what.find("rel=\"alternate\"") != what.npos || what.find("rel=alternate") != what.npos;
        bool typed = what.find("application/activity+json") != what.npos ||
                     what.find("https://www.w3.org/ns/activitystreams") != what.npos;
        if (alternate && typed) return std::string(header.substr(open + 1, close - open - 1));
        header.remove_prefix(end == header.npos ? header.size() : end + 1);
    }
    return {};
}

// `<link rel="alternate" type="application/activity+json" href="…">` in a page.
std::string linked_in_page(std::string_view html) {
    constexpr std::size_t most = 512 * 1024;
    html = html.substr(0, most);
    auto lower = base::text::ascii_lowered(html);
    auto value = [&](std::string_view tag, std::string_view name) -> std::string_view {
        auto lowered =
            std::string_view(lower).substr(static_cast<std::size_t>(tag.data() - html.data()), tag.size());
        for (auto at = lowered.find(name); at != lowered.npos; at = lowered.find(name, at + 1)) {
            auto quote = at + name.size();
            if (quote + 1 >= tag.size() || tag[quote] != '=') continue;
            char mark = tag[quote + 1];
            if (mark != '"' && mark != '\'') continue;
            auto end = tag.find(mark, quote + 2);
            return end == tag.npos ? std::string_view() : tag.substr(quote + 2, end - quote - 2);
        }
        return {};
    };
    // Each tag is read once; longer tags are of no use and skipped.
    constexpr std::size_t longest = 4096;
    for (auto at = lower.find("<link"), end = at; at != lower.npos; at = lower.find("<link", end)) {
        end = lower.find('>', at);
        if (end == lower.npos) return {};
        if (end - at > longest) continue;
        auto tag = html.substr(at, end - at);
        auto type = value(tag, "type");
        bool typed = ap::is_activity_type(type) || type == "application/activity+json";
        if (typed && value(tag, "rel") == "alternate") return std::string(value(tag, "href"));
    }
    return {};
}

// The ActivityPub document that an HTML page links to.
std::string named_by(const base::Fetched& answer) {
    auto named = linked_in_header(answer.header("link"));
    if (named.empty() && answer.header("content-type").starts_with("text/html"))
        named = linked_in_page(answer.body);
    return ap::web_url(named);
}

}  // namespace

namespace {

VerifiedDocument fetch(const auto& ask, db::Read& db, std::string_view url, Get how) {
    auto wanted = std::string(ap::without_fragment(ap::without_bearer(url)));
    // At most three fetches: the page, the document that it links to, the document's id.
    for (int turn = how.page ? 0 : 1; turn < 3; ++turn) {
        if (!may_ask(db, wanted)) return {FetchOutcome::refused, {}, {}};
        const Get get{wanted, how.signer, how.page && turn == 0, how.bulk};
        const auto* first = &ask(get);
        // Epicyon omits the profile parameter. Without it the response could also be an uploaded file, so it
        // is requested with one type only, which such a file does not have.
        if (ap::is_bare_json_ld(first->header("content-type")) && may_ask(db, wanted)) {
            auto again = get;
            again.one_type = true;
            first = &ask(again);
        }
        const auto& answer = *first;
        if (how.bulk) reschedule_when_busy(answer);
        auto outcome = outcome_of(answer);
        if (outcome != FetchOutcome::found)
            return {outcome, {}, {}, answer.failure != FetchFailure::busy, answer.retry_after};
        if (!ap::is_activity_type(answer.header("content-type"))) {
            auto named = how.page && turn == 0 ? named_by(answer) : std::string();
            if (named.empty()) return {FetchOutcome::refused, {}, {}};
            wanted = ap::without_fragment(named);
            continue;
        }
        auto document = ap::read_document(answer.body);
        auto id = document ? (*document)["id"].web_id() : std::string();
        if (id.empty()) return {FetchOutcome::refused, {}, {}};
        auto own = ap::without_fragment(id);
        // After redirects only the host that answered is trusted, not the one that was asked first.
        bool at_its_place =
            own == ap::without_fragment(answer.url) || (own == wanted && ap::same_host(id, answer.url));
        if (at_its_place && !has_our_host(db.site(), id)) {
            // NodeBB serves Tombstones with status 200.
            bool over = document->node().is("Tombstone");
            return {over ? FetchOutcome::gone : FetchOutcome::found, id, *document};
        }
        wanted = own;
    }
    return {FetchOutcome::refused, {}, {}};
}

}  // namespace

VerifiedDocument fetch(
    const base::Ask& ask, db::Read& db, std::string_view url, AccountId signer, bool page
) {
    return fetch(ask, db, url, Get{{}, signer, page});
}

VerifiedDocument fetch_of_key(const base::Ask& ask, db::Read& db, std::string_view url) {
    const auto key = [&](const Get& get) -> const base::Fetched& { return ask(GetKey{get}); };
    return fetch(key, db, url, Get{});
}

VerifiedDocument fetch_bulk(const base::Ask& ask, db::Read& db, std::string_view url) {
    return fetch(ask, db, url, Get{{}, {}, false, true});
}

std::int64_t busy_seconds(std::int64_t retry_after) { return std::max<std::int64_t>(retry_after, 2); }

void try_again(const VerifiedDocument& verified) {
    if (!verified.asked) throw jobs::Reschedule(busy_seconds(verified.retry_after));
    throw base::Unavailable();
}

void reschedule_or_fail(const accounts::Resolved& found) {
    if (found.resolution != accounts::Resolution::failed) return;
    if (found.busy_for > 0) throw jobs::Reschedule(found.busy_for);
    throw base::Unavailable();
}

void reschedule_when_busy(const base::Fetched& answer) {
    if (answer.failure == FetchFailure::busy && answer.retry_after > 0)
        throw jobs::Reschedule(answer.retry_after);
}

}  // namespace federation
