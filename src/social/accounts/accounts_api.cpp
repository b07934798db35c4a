// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/posting_defaults.hpp"
#include "social/accounts/profile/profile_api.hpp"
#include "social/accounts/profile/profile_entity.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/remote/resolve.hpp"
#include "social/accounts/search.hpp"

#include <algorithm>

namespace accounts {
namespace {

using http::Viewer;

struct ById {
    AccountId id;
};
DESCRIBE(ById, id)

base::json::Raw show(db::Read& db, const std::optional<Viewer>& me, const ById& path) {
    return {render(db, account(db, path.id))->for_viewer(me.has_value())};
}

struct Many {
    std::vector<AccountId> id;
};
DESCRIBE(Many, id)

base::json::Raw index(db::Read& db, const std::optional<Viewer>& me, Many form) {
    std::vector<AccountId> ids;
    for (auto id : form.id)
        if (ids.size() <= 40 && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    if (ids.size() > 40) throw base::Invalid("Validation failed: Too many ids, at most 40 are answered");
    return {render_list(db, ids, me.has_value())};
}

struct Lookup {
    http::Param<std::string> acct;
};
DESCRIBE(Lookup, acct)

base::json::Raw lookup(db::Read& db, const std::optional<Viewer>& me, const Lookup& form) {
    auto found = find_by_acct(db, *form.acct);
    if (!found) throw base::NotFound();
    return {render(db, *found)->for_viewer(me.has_value())};
}

struct SearchForm {
    std::string q;  // empty finds nothing: clients search while people type
    http::Limit<40, 80> limit;
    std::int64_t offset = 0;
    bool following = false, resolve = false;
};
DESCRIBE(SearchForm, q, limit, offset, following, resolve)

base::json::Raw find(const base::Ask& ask, db::Read& db, const Viewer& me, const SearchForm& form) {
    if (form.resolve && form.offset == 0 && is_handle_elsewhere(db.site(), form.q)) {
        auto known = find_by_acct(db, form.q);
        if (!known || is_gone(db, known->id)) ask(Resolve{form.q});
    }
    auto offset = static_cast<int>(std::clamp<std::int64_t>(form.offset, 0, 10'000));
    return {render_list(db, search(db, me.account, {form.q, form.limit.value, offset, form.following}), true)
    };
}

base::json::Raw verify(db::Read& db, const Viewer& me) {
    return credential_account(db, me.account, me.account_version);
}

BOOST_DEFINE_FIXED_ENUM_CLASS(Privacy, int, public_, unlisted, private_)
BOOST_DEFINE_FIXED_ENUM_CLASS(QuotePolicy, int, public_, followers, nobody)
BOOST_DEFINE_FIXED_ENUM_CLASS(ReplyPolicy, int, public_, followers, following, mentioned, nobody)

struct Source {
    std::optional<Privacy> privacy;
    std::optional<bool> sensitive;
    std::optional<http::TextOrNull> language;
    std::optional<QuotePolicy> quote_policy;
    std::optional<ReplyPolicy> reply_policy;
};
DESCRIBE(Source, privacy, sensitive, language, quote_policy, reply_policy)

struct UpdateForm {
    std::optional<std::string> display_name, note, avatar_description, header_description;
    std::optional<http::Upload> avatar, header;
    std::optional<bool> locked, bot, discoverable, hide_collections, indexable;
    std::optional<std::vector<std::string>> attribution_domains;
    std::optional<std::vector<ProfileField>> fields_attributes;
    Source source;
};
DESCRIBE(
    UpdateForm, display_name, note, avatar_description, header_description, avatar, header, locked, bot,
    discoverable, hide_collections, indexable, attribution_domains, fields_attributes, source
)

struct Changes {
    ProfileChanges profile;
    PostingChanges posting;
};

Changes check(const base::Ask& ask, db::Read& db, const Viewer& me, const UpdateForm& form) {
    Changes out;
    if (form.source.privacy) out.posting.privacy = base::word(*form.source.privacy);
    if (form.source.quote_policy) out.posting.quote_policy = base::word(*form.source.quote_policy);
    if (form.source.reply_policy) out.posting.reply_policy = base::word(*form.source.reply_policy);
    out.posting.sensitive = form.source.sensitive;
    // Blank is a choice, too: the language of the user's own settings.
    auto language = http::text_of(form.source.language);
    if (language && (language->empty() || base::text::known_language(*language)))
        out.posting.language = language;
    out.profile = changes_of(ask, db, me, form);
    return out;
}

void update(db::Write& db, const Viewer& me, const Changes& changes) {
    change_posting_defaults(db, me.user, changes.posting);
    change_profile(db, me.account, changes.profile);
}

base::json::Raw show_own(db::Read& db, const Viewer& me) {
    return credential_account(db, me.account, account(db, me.account).version);
}

std::map<std::string, base::json::Raw> preferences(db::Read& db, const Viewer& me) {
    auto chosen = posting_defaults(db, me.user);
    auto json = [](const auto& value) { return base::json::Raw{base::json::to_string(value)}; };
    bool locked = account(db, me.account).locked;
    auto usual = chosen.locale.empty() ? db.site().language : chosen.locale;
    return {
        {"posting:default:visibility", json(usual_privacy(chosen.privacy, locked))},
        {"posting:default:sensitive", json(chosen.sensitive)},
        {"posting:default:language", json(chosen.language.value_or(usual))},
        {"posting:default:quote_policy", json(chosen.quote_policy)},
        {"reading:expand:media", json(chosen.expand_media)},
        {"reading:expand:spoilers", json(chosen.expand_spoilers)},
        {"reading:autoplay:gifs", json(chosen.autoplay_gifs)},
    };
}

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                    ("/api/v1/accounts",                    "read:accounts").answering("Account[]"),
    http::get<verify>                   ("/api/v1/accounts/verify_credentials", "profile|read:accounts").answering("CredentialAccount"),
    http::patch<check, update, show_own>("/api/v1/accounts/update_credentials", "write:accounts").answering("CredentialAccount").body_limit(20 << 20),
    http::get<find>                     ("/api/v1/accounts/search",             "read:accounts").answering("Account[]"),
    http::get<lookup>                   ("/api/v1/accounts/lookup",             "read:accounts").answering("Account").cached(Caching::if_anonymous),
    http::get<show>                     ("/api/v1/accounts/:id",                "read:accounts").answering("Account").cached(Caching::if_anonymous),
    http::get<preferences>              ("/api/v1/preferences",                 "read:accounts"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace accounts
