// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/status_entity.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/statuses/render/quote_entity.hpp"
#include "social/statuses/render/rendered_status.hpp"

#include <algorithm>
#include <unordered_set>

namespace statuses {

namespace {

// Everything that the JSON of a page needs.
struct Parts {
    explicit Parts(const Audience& looking) : audience(looking) {}

    const Audience& audience;
    bool for_redraft = false;  // the quoted status is included in any state of the quote
    RenderedStatuses rendered_statuses;
    QuotedStatuses quoted;
    accounts::RenderedAccounts accounts, card_accounts;
    std::unordered_map<StatusId, ViewerState> viewer_states;
    std::vector<OwnVote> votes;
    std::unordered_map<StatusId, std::string> filtered;
    std::unordered_set<AccountId> followed_by;
};

// Who may quote, in general and for this viewer; for a boost, the original.
void append_quote_approval(
    std::string& out, const RenderedStatus& wrapper, const VisibilityFacts& f, const Parts& parts
) {
    auto original = parts.rendered_statuses.find(f.original_id);
    const auto& rendered = original == parts.rendered_statuses.end() ? wrapper : *original->second;
    const auto author = f.original_account_id;
    const auto& audience = parts.audience;
    bool direct = f.original_visibility == Visibility::direct || f.original_visibility == Visibility::limited;
    auto mine = Approval::denied;
    if (!audience.anonymous() && !direct)
        mine = approval_for(
            rendered.quote_approval,
            {author == audience.viewer,
             audience.relations && audience.relations->follows(author),
             parts.followed_by.contains(author)}
        );
    out += ',';
    out += rendered.quote_approval_open;
    out += base::word(mine);
    out += "\"}";
}

void append_viewer_state(
    std::string& out, const VisibilityFacts& f, AccountId author, bool reblog, const Parts& parts
) {
    const auto& audience = parts.audience;
    if (audience.anonymous()) return;
    auto marked = parts.viewer_states.find(f.original_id);
    auto mine = marked == parts.viewer_states.end() ? ViewerState{} : marked->second;
    if (marked == parts.viewer_states.end()) {  // the usual case
        out += R"(,"favourited":false,"reblogged":false,"bookmarked":false,"muted":false)";
    } else {
        out += mine.favourited ? ",\"favourited\":true" : ",\"favourited\":false";
        out += mine.reblogged ? ",\"reblogged\":true" : ",\"reblogged\":false";
        out += mine.bookmarked ? ",\"bookmarked\":true" : ",\"bookmarked\":false";
        out += mine.muted ? ",\"muted\":true" : ",\"muted\":false";
    }
    if (auto filtered = parts.filtered.find(f.original_id); filtered == parts.filtered.end())
        out += ",\"filtered\":[]";
    else (out += ",\"filtered\":") += filtered->second;
    bool pinnable =
        f.original_visibility != Visibility::direct && f.original_visibility != Visibility::limited;
    if (author == audience.viewer && !reblog && pinnable)
        out += mine.pinned ? ",\"pinned\":true" : ",\"pinned\":false";
}

void append_poll_and_card(std::string& out, StatusId id, const RenderedStatus& rendered, const Parts& parts) {
    if (!rendered.poll && !rendered.card) {  // the usual case
        out += ",\"poll\":null,\"card\":null";
        return;
    }
    out += ",\"poll\":";
    if (rendered.poll) append_poll(out, id, *rendered.poll, parts.audience, parts.votes);
    else out += "null";
    out += ",\"card\":";
    if (!rendered.card) {
        out += "null";
        return;
    }
    out += '{';
    append_card(out, *rendered.card, parts.card_accounts, parts.audience.viewer);
    out += '}';
}

enum class Depth { page, quoted };

void append_quote(std::string& out, const RenderedStatus& quoting, const Parts& parts, Depth depth);

// One status object, up to the member `reblog`, which the caller writes and closes.
bool append_open(
    std::string& out, StatusId id, AccountId author, const VisibilityFacts& f, bool reblog,
    const Parts& parts, Depth depth = Depth::page
) {
    auto rendered = parts.rendered_statuses.find(id);
    auto account = parts.accounts.find(author);
    if (rendered == parts.rendered_statuses.end() || account == parts.accounts.end()) return false;
    out += '{';
    out += rendered->second->members;
    const bool sensitive =
        rendered->second->sensitive || (rendered->second->sensitized && author != parts.audience.viewer);
    out += sensitive ? ",\"sensitive\":true" : ",\"sensitive\":false";
    if (rendered->second->application_shown || author == parts.audience.viewer)
        out += rendered->second->application;
    append_quote_approval(out, *rendered->second, f, parts);
    append_poll_and_card(out, id, *rendered->second, parts);
    append_viewer_state(out, f, author, reblog, parts);
    out += ",\"account\":";
    account->second->append_to(out, !parts.audience.anonymous());
    append_quote(out, *rendered->second, parts, depth);
    out += ",\"reblog\":";
    return true;
}

// A quote inside a quoted status contains only the id.
void append_quote(std::string& out, const RenderedStatus& quoting, const Parts& parts, Depth depth) {
    if (!quoting.quote) {
        out += ",\"quote\":null";
        return;
    }
    out += ",\"quote\":";
    const auto* quoted = parts.quoted.find(quoting.quote->id);
    auto state = shown_state(quoting, quoted, parts.audience);
    bool shown =
        comes_with_status(state) || (parts.for_redraft && quoted && visible(*quoted, parts.audience));
    out += "{\"state\":\"";
    out += base::word(state);
    if (depth == Depth::quoted) {
        out += "\",\"quoted_status_id\":";
        out += shown ? "\"" + std::to_string(quoted->id.value) + "\"}" : "null}";
        return;
    }
    out += "\",\"quoted_status\":";
    auto before = out.size();
    if (shown && append_open(out, quoted->id, quoted->account_id, *quoted, false, parts, Depth::quoted))
        out += "null}";
    if (out.size() == before) out += "null";
    out += '}';
}

bool append(std::string& out, const VisibilityFacts& f, const Parts& parts) {
    auto before = out.size();
    bool whole = append_open(out, f.id, f.account_id, f, f.is_reblog(), parts);
    if (whole && f.is_reblog()) {
        whole = append_open(out, f.original_id, f.original_account_id, f, false, parts);
        out += "null}";
    } else {
        out += "null";
    }
    out += '}';
    if (!whole) out.resize(before);
    return whole;
}

// The approximate size of a list in bytes, so that its string grows only once.
std::size_t weight(std::span<const VisibilityFacts> facts, const Parts& parts) {
    constexpr std::size_t viewer_states = 400, around = 64;
    std::size_t bytes = around;
    auto add = [&](StatusId id, AccountId author) {
        auto rendered = parts.rendered_statuses.find(id);
        auto account = parts.accounts.find(author);
        if (rendered == parts.rendered_statuses.end() || account == parts.accounts.end()) return;
        bytes += rendered->second->bytes() + account->second->json.size() + viewer_states;
    };
    for (const auto& f : facts) {
        add(f.id, f.account_id);
        if (f.is_reblog()) add(f.original_id, f.original_account_id);
    }
    return bytes;
}

}  // namespace

// The table follows belongs to relationships.
const db::Query<AccountId> followers_among{
    "followers_among", "SELECT account_id FROM follows WHERE target_id = $1 AND account_id IN LIST($2)"
};

namespace {

// The authors that follow the viewer, if that is needed for any status.
std::unordered_set<AccountId> followed_by(
    db::Read& db, const Audience& audience, const RenderedStatuses& rendered_statuses,
    std::span<const VisibilityFacts> page
) {
    auto decides = [](const auto& rendered) {
        return rendered.second->quote_approval.names(ApprovalPolicy::following);
    };
    if (audience.anonymous() || std::ranges::none_of(rendered_statuses, decides)) return {};
    std::vector<AccountId> authors;
    for (const auto& f : page) authors.push_back(f.original_account_id);
    auto found = db.all(followers_among, audience.viewer, authors);
    return {found.begin(), found.end()};
}

std::vector<OwnVote> votes_on(
    db::Read& db, const Audience& audience, const RenderedStatuses& rendered_statuses
) {
    std::vector<StatusId> polls;
    for (const auto& [id, rendered] : rendered_statuses)
        if (rendered->poll) polls.push_back(id);
    if (audience.anonymous() || polls.empty()) return {};
    return votes_of(db, audience.viewer, polls);
}

std::vector<AccountId> verified_authors(const RenderedStatuses& rendered_statuses) {
    std::vector<AccountId> out;
    for (const auto& [id, rendered] : rendered_statuses)
        if (rendered->card && rendered->card->verified) out.push_back(rendered->card->verified);
    return out;
}

// `found`: rendered statuses to use instead of the cached ones.
Parts parts_of(
    db::Read& db, const Audience& audience, std::span<const VisibilityFacts> page, RenderedStatuses found = {}
) {
    Parts parts(audience);
    parts.for_redraft = !found.empty();
    std::vector<RenderedStatusKey> keys;
    keys.reserve(page.size() * 2);
    for (const auto& one : page) {
        if (!found.contains(one.id)) keys.push_back({one.id, one.version});
        if (one.is_reblog()) keys.push_back({one.original_id, one.original_version});
    }
    if (page.size() == 1) {  // the response to a change
        expect_viewer_states(db, audience.viewer, page[0]);
        accounts::expect_rendered(db, {page[0].original_account_id, page[0].original_account_version});
    }
    parts.rendered_statuses = std::move(found);
    if (parts.rendered_statuses.empty()) parts.rendered_statuses = rendered_statuses(db, keys);
    else parts.rendered_statuses.merge(rendered_statuses(db, keys));
    parts.quoted = quoted_statuses(db, audience, parts.rendered_statuses);
    std::vector<VisibilityFacts> with_quoted;
    std::span<const VisibilityFacts> all = page;
    if (!parts.quoted.page.empty()) {
        with_quoted.assign(page.begin(), page.end());
        with_quoted.insert(with_quoted.end(), parts.quoted.page.begin(), parts.quoted.page.end());
        all = with_quoted;
    }
    std::vector<accounts::Version> authors;
    authors.reserve(all.size() * 2);
    for (const auto& one : all) {
        authors.push_back({one.account_id, one.account_version});
        if (one.is_reblog()) authors.push_back({one.original_account_id, one.original_account_version});
    }
    parts.accounts = accounts::render(db, authors);
    parts.votes = votes_on(db, audience, parts.rendered_statuses);
    parts.card_accounts = card_accounts(db, verified_authors(parts.rendered_statuses));
    parts.filtered = filtered(db, audience, all);
    parts.followed_by = followed_by(db, audience, parts.rendered_statuses, all);
    parts.viewer_states = viewer_states(db, audience.viewer, all);
    return parts;
}

}  // namespace

struct Page::Inside {
    Parts parts;
};

Page::Page(db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts)
    : inside_(std::make_unique<Inside>(parts_of(db, audience, facts))) {}
Page::~Page() = default;

bool Page::append(std::string& out, const VisibilityFacts& facts) const {
    return statuses::append(out, facts, inside_->parts);
}

std::size_t Page::weight(std::span<const VisibilityFacts> facts) const {
    return statuses::weight(facts, inside_->parts);
}

void Page::append_list(std::string& out, std::span<const VisibilityFacts> facts) const {
    out += '[';
    bool first = true;
    for (const auto& f : facts) {
        auto before = out.size();
        if (!first) out += ',';
        if (append(out, f)) first = false;
        else out.resize(before);
    }
    out += ']';
}

void append_list(
    std::string& out, db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts
) {
    if (facts.empty()) {
        out += "[]";
        return;
    }
    Page page(db, audience, facts);
    out.reserve(out.size() + page.weight(facts));
    page.append_list(out, facts);
}

std::string json_list(db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts) {
    std::string out;
    append_list(out, db, audience, facts);
    return out;
}

std::vector<std::string> json_each(
    db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts
) {
    std::vector<std::string> out(facts.size());
    auto parts = parts_of(db, audience, facts);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        out[i].reserve(weight(facts.subspan(i, 1), parts));
        append(out[i], facts[i], parts);
    }
    return out;
}

std::string json(db::Read& db, const Audience& audience, const VisibilityFacts& facts) {
    auto out = std::move(json_each(db, audience, {&facts, 1})[0]);
    if (out.empty()) throw base::NoSuchStatus();
    return out;
}

std::optional<std::string> quote_json(db::Read& db, const Audience& audience, const VisibilityFacts& f) {
    std::optional<std::string> out;
    auto parts = parts_of(db, audience, {&f, 1});
    auto rendered = parts.rendered_statuses.find(f.original_id);
    if (rendered == parts.rendered_statuses.end() || !rendered->second->quote) return out;
    append_quote(out.emplace(), *rendered->second, parts, Depth::page);
    out->erase(0, out->find('{'));
    return out;
}

std::string json_with_source(db::Read& db, const Audience& audience, const VisibilityFacts& f) {
    std::vector<StatusId> shown{f.id}, quoted;
    if (f.is_reblog()) shown.push_back(f.original_id);
    auto own = rendered_statuses_with_source(db, shown);
    for (const auto& [id, rendered] : own)
        if (rendered->quote && !own.contains(rendered->quote->id)) quoted.push_back(rendered->quote->id);
    own.merge(rendered_statuses_with_source(db, quoted));
    std::string out;
    append(out, f, parts_of(db, audience, {&f, 1}, std::move(own)));
    return out;
}

}  // namespace statuses
