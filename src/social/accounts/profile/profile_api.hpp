// SPDX-License-Identifier: AGPL-3.0-or-later
// What the two forms that change a profile have in common: update_credentials and the profile group.
#pragma once
#include "http/form.hpp"
#include "http/viewer.hpp"
#include "social/accounts/profile/profile.hpp"

namespace accounts {

// The checked changes, with HTML rendered and pictures stored.
template <class Form>
ProfileChanges changes_of(const base::Ask& ask, db::Read& db, const http::Viewer& me, const Form& form) {
    ProfileChanges changes;
    changes.display_name = form.display_name;
    changes.note = form.note;
    changes.avatar_description = form.avatar_description;
    changes.header_description = form.header_description;
    changes.locked = form.locked;
    changes.bot = form.bot;
    changes.discoverable = form.discoverable;
    changes.hide_collections = form.hide_collections;
    changes.indexable = form.indexable;
    changes.attribution_domains = form.attribution_domains;
    changes.fields = form.fields_attributes;
    if constexpr (requires { form.show_media; }) {
        changes.show_media = form.show_media;
        changes.show_media_replies = form.show_media_replies;
        changes.show_featured = form.show_featured;
    }
    changes = render(db, account(db, me.account), std::move(changes));
    auto stored = [&](media::Kind kind, const std::optional<http::Upload>& upload) {
        return picture(ask, me.account, kind, upload ? upload->file.get() : nullptr);
    };
    changes.avatar = stored(media::Kind::avatar, form.avatar);
    changes.header = stored(media::Kind::header, form.header);
    return changes;
}

}  // namespace accounts
