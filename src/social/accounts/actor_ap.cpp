// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/actor_ap.hpp"

#include "base/json_read.hpp"
#include "base/text/scan.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/featuring.hpp"
#include "social/emojis/emoji.hpp"
#include "social/instance/remote_file.hpp"

#include <algorithm>

namespace accounts {

namespace uris = base::uris;
namespace write = ap::write;

namespace {

void add_addresses(write::Actor& out, const Account& a, const base::Site& site) {
    out.id = uri_of(site, a);
    out.webfinger = a.username + "@" + site.domain;
    out.following = uris::following(out.id);
    out.followers = uris::followers(out.id);
    out.inbox = uris::inbox(out.id);
    out.outbox = uris::outbox(out.id);
    out.featured = uris::featured(out.id);
    out.featuredTags = uris::featured_tags(out.id);
    out.featuredCollections = uris::featured_collections(out.id);
    out.url = url_of(site, a);
    out.endpoints.sharedInbox = uris::shared_inbox(site);
}

// JSON-LD would drop an empty list: the account's own id stands for nobody.
std::string featured_by(const Account& a, const write::Actor& out) {
    auto automatic = feature_policy(a).automatic;
    if ((automatic & FeaturePolicy::public_) != 0) return std::string(uris::public_collection);
    return (automatic & FeaturePolicy::followers) != 0 ? out.followers : out.id;
}

void add_hashtags(std::vector<write::Tag>& tags, const std::string& text, const base::Site& site) {
    for (const auto& tag : base::text::hashtags(text)) tags.push_back(write::hashtag_in_text(site, tag.name));
}

std::string text_of_fields(const Account& a) {
    std::string out;
    for (const auto& field : fields_of(a)) out += field.name + "\n" + field.value + "\n";
    return out;
}

void add_tags(write::Actor& out, db::Read& db, const Account& a) {
    const auto fields = text_of_fields(a);
    const auto& site = db.site();
    emojis::InTexts used;
    for (const auto* text : {&a.display_name, &a.note, &fields}) used.add(*text, "");
    used.load(db);
    for (const auto& e : used.found({a.display_name, a.note, fields}, ""))
        out.tag.push_back(write::emoji(uris::emoji(site, e.id), e.shortcode, e.created_at, site.media(e.file))
        );
    add_hashtags(out.tag, a.note, site);
    add_hashtags(out.tag, fields, site);
}

void add_profile(write::Actor& out, db::Read& db, const Account& a) {
    const auto& site = db.site();
    if (!a.display_name.empty()) out.name = a.display_name;
    out.summary = a.note_html;
    out.discoverable = a.discoverable.value_or(false);
    out.indexable = a.indexable;
    for (const auto& field : fields_of(a))
        out.attachment.push_back({"PropertyValue", field.name, field.value_html});
    add_tags(out, db, a);
    const auto image = [&](const std::string& file, const std::string& description) {
        return write::image(instance::published_address(site, file), description);
    };
    if (!a.avatar.empty()) out.icon = image(a.avatar, a.avatar_description);
    if (!a.header.empty()) out.image = image(a.header, a.header_description);
    if (a.moved_to_id)
        if (auto target = find_account(db, a.moved_to_id)) out.movedTo = uri_of(site, *target);
    auto others = aliases(db, a.id);
    if (!others.empty()) out.alsoKnownAs = std::move(others);
    auto domains = base::json::read<std::vector<std::string>>(a.attribution_domains);
    if (!domains.empty()) out.attributionDomains = std::move(domains);
}

}  // namespace

write::Actor to_actor(db::Read& db, const Account& a) {
    write::Actor out;
    add_addresses(out, a, db.site());
    out.type = a.actor_type;
    out.preferredUsername = out.name = a.username;
    out.manuallyApprovesFollowers = a.locked;
    out.published = {a.created_at.midnight().ms};
    out.memorial = a.memorial;
    out.showFeatured = a.show_featured;
    out.showMedia = a.show_media;
    out.showRepliesInMedia = a.show_media_replies;
    out.interactionPolicy.canFeature.automaticApproval = {featured_by(a, out)};
    if (a.suspended_at) out.suspended = true;
    else add_profile(out, db, a);
    return out;
}

unsigned terms_of(const write::Actor& actor) {
    unsigned terms = write::security | write::webfinger | write::of_actors;
    if (actor.assertionMethod.value) terms |= write::of_multikeys;
    for (const auto& tag : actor.tag) terms |= tag.type == "Emoji" ? write::of_emojis : write::of_hashtags;
    return terms;
}

}  // namespace accounts
