// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/relationships/relationship.hpp"
#include "social/relationships/relationship_entity.hpp"

namespace relationships {
namespace {

using http::Viewer;

struct ById {
    AccountId id;
};
DESCRIBE(ById, id)

Relationship show(db::Read& db, const Viewer& me, const ById& path) {
    return relationship(db, me.account, path.id);
}

struct FollowForm {
    AccountId id;
    std::optional<bool> reblogs, notify;
    std::optional<std::vector<std::string>> languages;
};
DESCRIBE(FollowForm, id, reblogs, notify, languages)

http::Made<AccountId> begin(db::Write& db, const Viewer& me, const FollowForm& form) {
    db.beside_others();
    for (const auto& code : form.languages.value_or(std::vector<std::string>{}))
        if (!base::text::known_language(code))
            throw base::Invalid("Validation failed: Languages contains an unknown language");
    return {form.id, follow(db, me.account, form.id, {form.reblogs, form.notify, form.languages})};
}

AccountId end(db::Write& db, const Viewer& me, const ById& path) {
    db.beside_others();
    accounts::account(db, path.id);
    unfollow(db, me.account, path.id);
    return path.id;
}

AccountId drop_follower(db::Write& db, const Viewer& me, const ById& path) {
    accounts::account(db, path.id);
    remove_follower(db, me.account, path.id);
    return path.id;
}

template <auto Rule>
AccountId act(db::Write& db, const Viewer& me, const ById& path) {
    Rule(db, me.account, path.id);
    return path.id;
}

AccountId begin_block(db::Write& db, const Viewer& me, const ById& path) {
    block(db, me.account, path.id);
    return path.id;
}

struct MuteForm {
    AccountId id;
    bool notifications = true;
    std::int64_t duration = 0;
};
DESCRIBE(MuteForm, id, notifications, duration)

AccountId begin_mute(db::Write& db, const Viewer& me, const MuteForm& form) {
    mute(db, me.account, form.id, form.notifications, form.duration);
    return form.id;
}

struct NoteForm {
    AccountId id;
    std::string comment;
};
DESCRIBE(NoteForm, id, comment)

AccountId note(db::Write& db, const Viewer& me, const NoteForm& form) {
    set_note(db, me.account, form.id, form.comment);
    return form.id;
}

struct Many {
    std::vector<AccountId> id;
    bool with_suspended = false;
};
DESCRIBE(Many, id, with_suspended)

std::vector<Relationship> index(db::Read& db, const Viewer& me, const Many& form) {
    auto ids = form.id;
    if (ids.size() > 1000) ids.resize(1000);
    return relationships(db, me.account, ids, form.with_suspended);
}

using http::Throttle;

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                       ("/api/v1/accounts/relationships",             "read:follows"),
    http::post<begin, show>                ("/api/v1/accounts/:id/follow",                "follow|write:follows").throttled(Throttle::follows_family),
    http::post<end, show>                  ("/api/v1/accounts/:id/unfollow",              "follow|write:follows"),
    http::post<drop_follower, show>        ("/api/v1/accounts/:id/remove_from_followers", "follow|write:follows"),
    http::post<begin_block, show>          ("/api/v1/accounts/:id/block",                 "follow|write:blocks"),
    http::post<act<unblock>, show>         ("/api/v1/accounts/:id/unblock",               "follow|write:blocks"),
    http::post<begin_mute, show>           ("/api/v1/accounts/:id/mute",                  "follow|write:mutes"),
    http::post<act<unmute>, show>          ("/api/v1/accounts/:id/unmute",                "follow|write:mutes"),
    http::post<act<endorse>, show>         ("/api/v1/accounts/:id/endorse",               "write:accounts"),
    http::post<act<unendorse>, show>       ("/api/v1/accounts/:id/unendorse",             "write:accounts"),
    http::post<act<endorse>, show>         ("/api/v1/accounts/:id/pin",                   "write:accounts"),
    http::post<act<unendorse>, show>       ("/api/v1/accounts/:id/unpin",                 "write:accounts"),
    http::post<note, show>                 ("/api/v1/accounts/:id/note",                  "write:accounts"),
    http::post<act<authorize_request>, show>("/api/v1/follow_requests/:id/authorize",     "follow|write:follows"),
    http::post<act<reject_request>, show>  ("/api/v1/follow_requests/:id/reject",         "follow|write:follows"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace relationships
