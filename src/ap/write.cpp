// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/write.hpp"

#include "base/uris.hpp"

namespace ap::write {

namespace {

struct Term {
    unsigned of;
    std::string_view json;
};

constexpr Term terms_known[] = {
    {of_actors | of_statuses | of_emojis | of_media | of_polls | of_features,
     R"("toot":"http://joinmastodon.org/ns#")"},
    {of_actors, R"("featured":{"@id":"toot:featured","@type":"@id"})"},
    {of_actors, R"("featuredTags":{"@id":"toot:featuredTags","@type":"@id"})"},
    {of_actors | of_features, R"("discoverable":"toot:discoverable")"},
    {of_actors, R"("indexable":"toot:indexable")"},
    {of_actors, R"("memorial":"toot:memorial")"},
    {of_actors, R"("suspended":"toot:suspended")"},
    {of_actors, R"("showFeatured":"toot:showFeatured")"},
    {of_actors, R"("showMedia":"toot:showMedia")"},
    {of_actors, R"("showRepliesInMedia":"toot:showRepliesInMedia")"},
    {of_actors, R"("attributionDomains":{"@id":"toot:attributionDomains","@container":"@set"})"},
    {of_actors, R"("manuallyApprovesFollowers":"as:manuallyApprovesFollowers")"},
    {of_actors, R"("movedTo":{"@id":"as:movedTo","@type":"@id"})"},
    {of_actors, R"("alsoKnownAs":{"@id":"as:alsoKnownAs","@type":"@id"})"},
    {of_actors, R"("schema":"http://schema.org#")"},
    {of_actors, R"("PropertyValue":"schema:PropertyValue")"},
    {of_actors, R"("value":"schema:value")"},
    {of_statuses, R"("ostatus":"http://ostatus.org#")"},
    {of_statuses, R"("atomUri":"ostatus:atomUri")"},
    {of_statuses, R"("inReplyToAtomUri":"ostatus:inReplyToAtomUri")"},
    {of_statuses, R"("conversation":"ostatus:conversation")"},
    {of_statuses | of_features, R"("sensitive":"as:sensitive")"},
    {of_statuses, R"("litepub":"http://litepub.social/ns#")"},
    {of_statuses, R"("directMessage":"litepub:directMessage")"},
    {of_actors | of_statuses | of_quote_authorizations | of_features | of_reply_control,
     R"("gts":"https://gotosocial.org/ns#")"},
    {of_actors | of_statuses, R"("interactionPolicy":{"@id":"gts:interactionPolicy","@type":"@id"})"},
    {of_statuses, R"("canQuote":{"@id":"gts:canQuote","@type":"@id"})"},
    {of_actors, R"("canFeature":{"@id":"https://w3id.org/fep/7aa9#canFeature","@type":"@id"})"},
    {of_actors | of_statuses, R"("automaticApproval":{"@id":"gts:automaticApproval","@type":"@id"})"},
    {of_actors,
     R"("featuredCollections":{"@id":"https://w3id.org/fep/7aa9#featuredCollections","@type":"@id"})"},
    {of_multikeys, R"("Multikey":"https://w3id.org/security#Multikey")"},
    {of_multikeys,
     R"("assertionMethod":{"@id":"https://w3id.org/security#assertionMethod","@type":"@id","@container":"@set"})"
    },
    {of_multikeys, R"("controller":{"@id":"https://w3id.org/security#controller","@type":"@id"})"},
    {of_multikeys,
     R"("publicKeyMultibase":{"@id":"https://w3id.org/security#publicKeyMultibase","@type":"https://w3id.org/security#multibase"})"
    },
    {of_emojis, R"("Emoji":"toot:Emoji")"},
    {of_hashtags | of_features, R"("Hashtag":"as:Hashtag")"},
    {of_media, R"("blurhash":"toot:blurhash")"},
    {of_media, R"("focalPoint":{"@id":"toot:focalPoint","@container":"@list"})"},
    {of_polls, R"("votersCount":"toot:votersCount")"},
    {of_quotes, R"("quote":{"@id":"https://w3id.org/fep/044f#quote","@type":"@id"})"},
    {of_quotes, R"("quoteAuthorization":{"@id":"https://w3id.org/fep/044f#quoteAuthorization","@type":"@id"})"
    },
    {of_quotes, R"("quoteUri":"http://fedibird.com/ns#quoteUri")"},
    {of_quotes, R"("_misskey_quote":"https://misskey-hub.net/ns#_misskey_quote")"},
    {of_quote_authorizations, R"("QuoteRequest":"https://w3id.org/fep/044f#QuoteRequest")"},
    {of_quote_authorizations, R"("QuoteAuthorization":"https://w3id.org/fep/044f#QuoteAuthorization")"},
    {of_features, R"("FeaturedCollection":"https://w3id.org/fep/7aa9#FeaturedCollection")"},
    {of_features, R"("FeaturedItem":"https://w3id.org/fep/7aa9#FeaturedItem")"},
    {of_features, R"("FeatureRequest":"https://w3id.org/fep/7aa9#FeatureRequest")"},
    {of_features, R"("FeatureAuthorization":"https://w3id.org/fep/7aa9#FeatureAuthorization")"},
    {of_features, R"("topic":{"@id":"https://w3id.org/fep/7aa9#topic","@type":"@id"})"},
    {of_features, R"("featuredObject":{"@id":"https://w3id.org/fep/7aa9#featuredObject","@type":"@id"})"},
    {of_features, R"("featuredObjectType":"https://w3id.org/fep/7aa9#featuredObjectType")"},
    {of_features,
     R"("featureAuthorization":{"@id":"https://w3id.org/fep/7aa9#featureAuthorization","@type":"@id"})"},
    {of_reply_control, R"("canReply":{"@id":"gts:canReply","@type":"@id"})"},
    {of_reply_control, R"("manualApproval":{"@id":"gts:manualApproval","@type":"@id"})"},
    {of_reply_control, R"("ReplyRequest":"gts:ReplyRequest")"},
    {of_reply_control, R"("ReplyAuthorization":"gts:ReplyAuthorization")"},
    {of_reply_control, R"("replyAuthorization":{"@id":"gts:replyAuthorization","@type":"@id"})"},
    {of_reply_control, R"("approvedBy":{"@id":"gts:approvedBy","@type":"@id"})"},
    {of_quote_authorizations | of_features | of_reply_control,
     R"("interactingObject":{"@id":"gts:interactingObject","@type":"@id"})"},
    {of_quote_authorizations | of_features | of_reply_control,
     R"("interactionTarget":{"@id":"gts:interactionTarget","@type":"@id"})"},
};

}  // namespace

SpreadRaw context(unsigned terms) {
    std::string own;
    for (const auto& term : terms_known) {
        if (!(term.of & terms)) continue;
        own += own.empty() ? '{' : ',';
        own += term.json;
    }
    std::string out = R"("https://www.w3.org/ns/activitystreams")";
    bool list = terms != 0;
    if (terms & security) out += R"(,"https://w3id.org/security/v1")";
    if (terms & webfinger) out += R"(,"https://purl.archive.org/socialweb/webfinger")";
    if (!own.empty()) out += "," + own + "}";
    return {"\"@context\":" + (list ? "[" + out + "]" : out)};
}

Raw reference(std::string_view uri) {
    Raw out;
    base::json::write(out.text, uri);
    return out;
}

Image image(std::string url, const std::string& description) {
    Image out;
    out.mediaType = url.ends_with(".png")    ? "image/png"
                    : url.ends_with(".gif")  ? "image/gif"
                    : url.ends_with(".webp") ? "image/webp"
                    : url.ends_with(".avif") ? "image/avif"
                                             : "image/jpeg";
    out.url = std::move(url);
    if (!description.empty()) out.summary = description;
    return out;
}

Tag hashtag(std::string page, std::string_view name) {
    return {{}, "Hashtag", std::move(page), "#" + std::string(name), {}, {}};
}

Tag hashtag_in_text(const base::Site& site, std::string_view name) {
    return hashtag(base::uris::tag_page(site, name), name);
}

Tag emoji(std::string id, std::string_view shortcode, base::Time updated, std::string url) {
    auto name = ":" + std::string(shortcode) + ":";
    return {std::move(id), "Emoji", {}, std::move(name), WholeSeconds{updated.ms}, image(std::move(url))};
}

unsigned terms_of(const Note& note) {
    unsigned terms = of_statuses;
    for (const auto& tag : note.tag) {
        if (tag.type == "Hashtag") terms |= of_hashtags;
        if (tag.type == "Emoji") terms |= of_emojis;
    }
    if (!note.attachment.empty()) terms |= of_media;
    if (note.type == "Question") terms |= of_polls;
    if (note.quote.value) terms |= of_quotes;
    if (note.replyAuthorization.value || note.interactionPolicy.canReply.value) terms |= of_reply_control;
    return terms;
}

std::string document(Activity activity, unsigned terms) {
    activity.contexts = context(terms | security);
    return base::json::to_string(activity);
}

Raw embedded(Activity activity) {
    activity.contexts = {};
    return {base::json::to_string(activity)};
}

namespace {

Activity made(std::string id, const char* type, std::string actor, Raw object) {
    Activity out;
    out.id = std::move(id);
    out.type = type;
    out.actor = std::move(actor);
    out.object = std::move(object);
    return out;
}

Activity changed(std::string id, const char* type, std::string actor, Raw object, std::string target) {
    auto out = made(std::move(id), type, std::move(actor), std::move(object));
    out.target = std::move(target);
    return out;
}

}  // namespace

Activity follow(std::string id, std::string actor, std::string_view target) {
    return made(std::move(id), "Follow", std::move(actor), reference(target));
}

Activity accept(std::string id, std::string actor, Raw object) {
    return made(std::move(id), "Accept", std::move(actor), std::move(object));
}

Activity reject(std::string id, std::string actor, Raw object) {
    return made(std::move(id), "Reject", std::move(actor), std::move(object));
}

Activity like(std::string id, std::string actor, std::string_view object) {
    return made(std::move(id), "Like", std::move(actor), reference(object));
}

Activity block(std::string id, std::string actor, std::string_view target) {
    return made(std::move(id), "Block", std::move(actor), reference(target));
}

Activity undo(const Activity& done) {
    auto out = made(base::uris::undo(done.id), "Undo", done.actor, embedded(done));
    out.to = done.to;
    return out;
}

Activity removal(std::string id, std::string actor, Raw object) {
    auto out = made(std::move(id), "Delete", std::move(actor), std::move(object));
    out.to = std::vector{std::string(base::uris::public_collection)};
    return out;
}

Activity move(std::string id, std::string actor, std::string target, std::vector<std::string> to) {
    auto old = reference(actor);
    auto out = made(std::move(id), "Move", std::move(actor), std::move(old));
    out.target = std::move(target);
    out.to = std::move(to);
    return out;
}

Activity flag(
    std::string id, std::string actor, std::string comment, const std::vector<std::string>& accused
) {
    auto out = made(std::move(id), "Flag", std::move(actor), {base::json::to_string(accused)});
    out.content = std::move(comment);
    return out;
}

Activity add(std::string id, std::string actor, Raw object, std::string target) {
    return changed(std::move(id), "Add", std::move(actor), std::move(object), std::move(target));
}

Activity remove(std::string id, std::string actor, Raw object, std::string target) {
    return changed(std::move(id), "Remove", std::move(actor), std::move(object), std::move(target));
}

Activity quote_request(std::string id, std::string actor, std::string_view quoted, Raw quoting) {
    auto out = made(std::move(id), "QuoteRequest", std::move(actor), reference(quoted));
    out.instrument = std::move(quoting);
    return out;
}

Activity reply_request(std::string id, std::string actor, std::string_view parent, Raw reply) {
    auto out = made(std::move(id), "ReplyRequest", std::move(actor), reference(parent));
    out.instrument = std::move(reply);
    return out;
}

Activity feature_request(
    std::string id, std::string actor, std::string_view account, std::string_view collection
) {
    auto out = made(std::move(id), "FeatureRequest", std::move(actor), reference(account));
    out.instrument = reference(collection);
    return out;
}

}  // namespace ap::write
