// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/status_entity.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/statuses/status_marks.hpp"
#include "social/statuses/status_piece.hpp"

namespace statuses {

namespace {

struct Parts {
    const Pieces& pieces;
    const accounts::RenderedAccounts& accounts;
    const std::unordered_map<StatusId, Marks>& marks;
    const Audience& audience;
};

// Who may quote, in general and for this viewer.
void append_quote_approval(
    std::string& out, const Piece& piece, AccountId author, bool reblog, const Audience& audience
) {
    auto policy = reblog ? QuotePolicy::nobody : piece.quote_policy;
    const char* automatic = "";
    bool allowed = author == audience.viewer;
    switch (policy) {
        case QuotePolicy::public_:
            automatic = "\"public\"";
            allowed = true;
            break;
        case QuotePolicy::followers:
            automatic = "\"followers\"";
            allowed = allowed || (audience.circle && audience.circle->follows(author));
            break;
        case QuotePolicy::nobody: break;
    }
    bool denied = audience.anonymous() || reblog || !allowed;
    out += ",\"quote_approval\":{\"automatic\":[";
    out += automatic;
    out += "],\"manual\":[],\"current_user\":";
    out += denied ? "\"denied\"}" : "\"automatic\"}";
}

void append_marks(std::string& out, const Facts& f, AccountId author, bool reblog, const Parts& parts) {
    const auto& audience = parts.audience;
    if (audience.anonymous()) return;
    auto marked = parts.marks.find(f.original_id);
    auto mine = marked == parts.marks.end() ? Marks{} : marked->second;
    out += mine.favourited ? ",\"favourited\":true" : ",\"favourited\":false";
    out += mine.reblogged ? ",\"reblogged\":true" : ",\"reblogged\":false";
    out += mine.bookmarked ? ",\"bookmarked\":true" : ",\"bookmarked\":false";
    out += ",\"muted\":false,\"filtered\":[]";
    bool pinnable =
        f.original_visibility != Visibility::direct && f.original_visibility != Visibility::limited;
    if (author == audience.viewer && !reblog && pinnable) out += ",\"pinned\":false";
}

// One status object, up to the member `reblog`, which the caller writes and closes.
bool append_open(
    std::string& out, StatusId id, AccountId author, const Facts& f, bool reblog, const Parts& parts
) {
    auto piece = parts.pieces.find(id);
    auto account = parts.accounts.find(author);
    if (piece == parts.pieces.end() || account == parts.accounts.end()) return false;
    out += '{';
    out += piece->second->members;
    if (piece->second->application_shown || author == parts.audience.viewer)
        out += piece->second->application;
    append_quote_approval(out, *piece->second, author, reblog, parts.audience);
    append_marks(out, f, author, reblog, parts);
    out += ",\"account\":";
    account->second->append_to(out, !parts.audience.anonymous());
    out += ",\"reblog\":";
    return true;
}

bool append(std::string& out, const Facts& f, const Parts& parts) {
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

// About how many bytes a list becomes, so that its string grows once.
std::size_t weight(std::span<const Facts> facts, const Parts& parts) {
    constexpr std::size_t marks = 400;
    std::size_t bytes = 2;
    auto add = [&](StatusId id, AccountId author) {
        auto piece = parts.pieces.find(id);
        auto account = parts.accounts.find(author);
        if (piece == parts.pieces.end() || account == parts.accounts.end()) return;
        bytes += piece->second->members.size() + piece->second->application.size() +
                 account->second->json.size() + marks;
    };
    for (const auto& f : facts) {
        add(f.id, f.account_id);
        if (f.is_reblog()) add(f.original_id, f.original_account_id);
    }
    return bytes;
}

template <class F>
void with_parts(db::Read& db, const Audience& audience, std::span<const Facts> facts, F&& f) {
    std::vector<PieceKey> keys;
    std::vector<accounts::Version> authors;
    keys.reserve(facts.size() * 2);
    authors.reserve(facts.size() * 2);
    for (const auto& one : facts) {
        keys.push_back({one.id, one.version});
        authors.push_back({one.account_id, one.account_version});
        if (!one.is_reblog()) continue;
        keys.push_back({one.original_id, one.original_version});
        authors.push_back({one.original_account_id, one.original_account_version});
    }
    auto found = pieces(db, keys);
    auto rendered = accounts::render(db, authors);
    f(Parts{found, rendered, marks(db, audience.viewer, facts), audience});
}

}  // namespace

std::string json_list(db::Read& db, const Audience& audience, std::span<const Facts> facts) {
    std::string out = "[";
    if (facts.empty()) return "[]";
    with_parts(db, audience, facts, [&](const Parts& parts) {
        out.reserve(weight(facts, parts));
        for (const auto& f : facts) {
            auto before = out.size();
            if (before > 1) out += ',';
            if (!append(out, f, parts)) out.resize(before);
        }
    });
    return out += ']';
}

std::vector<std::string> json_each(db::Read& db, const Audience& audience, std::span<const Facts> facts) {
    std::vector<std::string> out(facts.size());
    with_parts(db, audience, facts, [&](const Parts& parts) {
        for (std::size_t i = 0; i < facts.size(); ++i) append(out[i], facts[i], parts);
    });
    return out;
}

std::string json(db::Read& db, const Audience& audience, const Facts& facts) {
    auto out = std::move(json_each(db, audience, {&facts, 1})[0]);
    if (out.empty()) throw base::NoSuchStatus();
    return out;
}

std::string json_with_source(db::Read& db, const Audience& audience, const Facts& f) {
    Pieces own;
    own.emplace(f.id, std::make_shared<const Piece>(piece_with_source(db, f.id)));
    if (f.is_reblog()) own.merge(pieces(db, {{f.original_id, f.original_version}}));
    std::vector<accounts::Version> authors{
        {f.account_id, f.account_version}, {f.original_account_id, f.original_account_version}
    };
    auto rendered = accounts::render(db, authors);
    std::string out;
    append(out, f, Parts{own, rendered, marks(db, audience.viewer, {&f, 1}), audience});
    return out;
}

}  // namespace statuses
