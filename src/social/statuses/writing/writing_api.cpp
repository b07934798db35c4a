// SPDX-License-Identifier: AGPL-3.0-or-later
// For editors: a preview of a post with its mentions, and drafts for all devices.
#include "base/text/count.hpp"
#include "http/body/json_object.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/statuses/writing/compose.hpp"
#include "social/statuses/writing/kept_draft.hpp"

#include <algorithm>

namespace statuses {
namespace {

using http::Viewer;

// Checking a text.

struct CheckForm {
    std::string status, spoiler_text, content_type;
};
DESCRIBE(CheckForm, status, spoiler_text, content_type)

struct NamedPerson {
    std::string acct;
    bool known = false;
};
DESCRIBE(NamedPerson, acct, known)

struct Checked {
    static constexpr std::string_view entity = "ComposeCheck";
    std::string content;
    std::int64_t characters = 0, max_characters = 0;
    std::vector<NamedPerson> mentions;
    std::vector<std::string> tags;
};
DESCRIBE(Checked, content, characters, max_characters, mentions, tags)

Checked check(db::Read& db, const Viewer& me, const CheckForm& form) {
    constexpr std::size_t longest = 200'000;
    if (form.status.size() > longest) throw base::Invalid("Validation failed: Text is too long");
    auto content = compose(db, me.account, form.status, known_type(form.content_type));
    auto entities = base::text::scan(form.status);
    Checked out;
    out.characters = static_cast<std::int64_t>(
        base::text::status_length(form.status, entities) + base::text::graphemes(form.spoiler_text)
    );
    out.max_characters = db.site().max_characters;
    out.content = std::move(content.html);
    for (auto& [name, written] : content.tags) out.tags.push_back(std::move(written));
    for (const auto& one : entities) {
        constexpr std::size_t most = 100;
        auto acct = std::string(one.acct(form.status));
        bool more = one.kind == base::text::Entity::mention && out.mentions.size() < most;
        if (!more || std::ranges::count(out.mentions, acct, &NamedPerson::acct) > 0) continue;
        auto person = accounts::find_by_acct(db, acct);
        bool met =
            person && (person->id == me.account || std::ranges::count(content.mentions, person->id) > 0);
        out.mentions.push_back({std::move(acct), met});
    }
    return out;
}

// Drafts.

std::vector<KeptDraft> drafts(db::Read& db, const Viewer& me) { return kept_drafts(db, me.account); }

struct ByKey {
    std::string key;
};
DESCRIBE(ByKey, key)

struct Data {
    std::string json;
};

// Parsed before the change, because it may be long.
Data data_of(db::Read&, const http::Request& request) { return {http::object_in_body(request, "data")}; }

void keep(db::Write& db, const Viewer& me, const ByKey& path, const Data& data) {
    keep_draft(db, me.account, path.key, data.json);
}

void forget(db::Write& db, const Viewer& me, const ByKey& path) { forget_draft(db, me.account, path.key); }

// clang-format off
constexpr http::Route table[] = {
    http::post<check> ("/api/dunlin/v1/compose/check", "read:statuses"),
    http::get<drafts> ("/api/dunlin/v1/drafts",        "read:statuses"),
    http::put<data_of, keep>("/api/dunlin/v1/drafts/:key",   "write:statuses").body_limit(256 << 10),
    http::del<forget> ("/api/dunlin/v1/drafts/:key",   "write:statuses"),
};
// clang-format on

}  // namespace

std::span<const http::Route> writing_routes() { return table; }

}  // namespace statuses
