// SPDX-License-Identifier: AGPL-3.0-or-later
// ActivityPub documents as we write them (the other files here read those of other servers). Members have
// their names and order in the JSON. Only top-level documents have a context.
#pragma once
#include "base/json.hpp"
#include "base/site.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ap::write {

using base::WholeSeconds;
using base::json::Omit;
using base::json::Raw;
using base::json::SpreadRaw;

// Terms beyond ActivityStreams that a document uses, defined in its context.
enum Terms : unsigned {
    security = 1,
    webfinger = 2,
    of_actors = 4,
    of_statuses = 8,
    of_emojis = 16,
    of_hashtags = 32,
    of_media = 64,
    of_polls = 128,
    of_quotes = 256,
    of_quote_authorizations = 512,
    of_features = 1024,
    of_reply_control = 2048,
    of_multikeys = 4096,
};
SpreadRaw context(unsigned terms);

Raw reference(std::string_view uri);
template <class T>
Raw embedded(const T& value) {
    return {base::json::to_string(value)};
}

struct Image {
    std::string type = "Image", mediaType, url;
    Omit<std::string> summary;
};
DESCRIBE(Image, type, mediaType, url, summary)

Image image(std::string url, const std::string& description = {});  // mediaType: by the extension

// Mention, Hashtag or Emoji.
struct Tag {
    Omit<std::string> id;
    std::string type;
    Omit<std::string> href;
    std::string name;
    Omit<WholeSeconds> updated;
    Omit<Image> icon;
};
DESCRIBE(Tag, id, type, href, name, updated, icon)

Tag hashtag(std::string page, std::string_view name);
// As in a post's text, where the link has the same address.
Tag hashtag_in_text(const base::Site&, std::string_view name);
Tag emoji(std::string id, std::string_view shortcode, base::Time updated, std::string url);

// ---- actors ----

struct PublicKey {
    std::string id, owner, publicKeyPem;
};
DESCRIBE(PublicKey, id, owner, publicKeyPem)

struct Multikey {
    std::string id, type = "Multikey", controller, publicKeyMultibase;
};
DESCRIBE(Multikey, id, type, controller, publicKeyMultibase)

struct PropertyValue {
    std::string type = "PropertyValue", name, value;
};
DESCRIBE(PropertyValue, type, name, value)

struct Endpoints {
    std::string sharedInbox;
};
DESCRIBE(Endpoints, sharedInbox)

struct Approval {
    std::vector<std::string> automaticApproval;
};
DESCRIBE(Approval, automaticApproval)
struct FeaturePolicy {
    Approval canFeature;
};
DESCRIBE(FeaturePolicy, canFeature)

struct Actor {
    SpreadRaw contexts;
    std::string id, type, webfinger;
    std::string following, followers, inbox, outbox, featured, featuredTags, featuredCollections;
    std::string preferredUsername, name, summary, url;
    bool manuallyApprovesFollowers = false, discoverable = false, indexable = false;
    WholeSeconds published;
    bool memorial = false, showFeatured = true, showMedia = true, showRepliesInMedia = true;
    FeaturePolicy interactionPolicy;
    PublicKey publicKey;
    Omit<std::vector<Multikey>> assertionMethod;
    std::vector<Tag> tag;
    std::vector<PropertyValue> attachment;
    Endpoints endpoints;
    Omit<Image> icon, image;
    Omit<std::vector<std::string>> alsoKnownAs;
    Omit<std::string> movedTo;
    Omit<bool> suspended;
    Omit<std::vector<std::string>> attributionDomains;
};
DESCRIBE(
    Actor, contexts, id, type, webfinger, following, followers, inbox, outbox, featured, featuredTags,
    featuredCollections, preferredUsername, name, summary, url, manuallyApprovesFollowers, discoverable,
    indexable, published, memorial, showFeatured, showMedia, showRepliesInMedia, interactionPolicy, publicKey,
    assertionMethod, tag, attachment, endpoints, icon, image, alsoKnownAs, movedTo, suspended,
    attributionDomains
)

// The server's own.
struct ServerActor {
    SpreadRaw contexts;
    std::string id, type = "Application", preferredUsername, inbox, outbox;
    PublicKey publicKey;
    Endpoints endpoints;
    std::string url;
    bool manuallyApprovesFollowers = true;
};
DESCRIBE(
    ServerActor, contexts, id, type, preferredUsername, inbox, outbox, publicKey, endpoints, url,
    manuallyApprovesFollowers
)

// ---- objects ----

struct Document {
    std::string type = "Document", mediaType, url;
    std::optional<std::string> name, blurhash;
    Omit<std::vector<double>> focalPoint;
    Omit<std::int64_t> width, height;
    Omit<std::string> duration;
    Omit<Image> icon;
};
DESCRIBE(Document, type, mediaType, url, name, blurhash, focalPoint, width, height, duration, icon)

struct ReplyApproval {
    std::vector<std::string> automaticApproval, manualApproval;
};
DESCRIBE(ReplyApproval, automaticApproval, manualApproval)
struct InteractionPolicy {
    Approval canQuote;
    Omit<ReplyApproval> canReply;  // if replies are restricted
};
DESCRIBE(InteractionPolicy, canQuote, canReply)

// likes and shares: only their number.
struct Total {
    Omit<std::string> id;
    std::string type = "Collection";
    std::int64_t totalItems = 0;
};
DESCRIBE(Total, id, type, totalItems)

struct Page {
    SpreadRaw contexts;
    Omit<std::string> id;
    std::string type = "CollectionPage";
    Omit<std::int64_t> totalItems;
    Omit<std::string> next, prev;
    std::string partOf;
    Omit<std::vector<Raw>> items, orderedItems;
};
DESCRIBE(Page, contexts, id, type, totalItems, next, prev, partOf, items, orderedItems)

struct Collection {
    SpreadRaw contexts;
    std::string id, type = "Collection";
    Omit<std::string> attributedTo;
    Omit<std::int64_t> totalItems;
    Omit<Raw> first;  // a page, or its id
    Omit<std::string> last;
    Omit<std::vector<Raw>> items, orderedItems;
};
DESCRIBE(Collection, contexts, id, type, attributedTo, totalItems, first, last, items, orderedItems)

struct Option {
    std::string type = "Note", name;
    Total replies;
};
DESCRIBE(Option, type, name, replies)

// A post: Note, or Question with a poll.
struct Note {
    SpreadRaw contexts;
    std::string id, type = "Note";
    std::optional<std::string> summary, inReplyTo;
    WholeSeconds published;
    Omit<base::Time> updated;
    std::string url, attributedTo;
    std::vector<std::string> to, cc;
    bool sensitive = false;
    std::string atomUri;
    std::optional<std::string> inReplyToAtomUri;
    std::string conversation;
    Omit<std::string> context;
    Omit<bool> directMessage;
    Omit<Raw> quote;
    Omit<std::string> _misskey_quote, quoteUri, quoteAuthorization, replyAuthorization, approvedBy;
    InteractionPolicy interactionPolicy;
    std::string content;
    Omit<std::map<std::string, std::string>> contentMap;
    std::vector<Document> attachment;
    std::vector<Tag> tag;
    Omit<Raw> replies;
    Omit<Total> likes, shares;
    Omit<std::vector<Option>> oneOf, anyOf;
    Omit<WholeSeconds> endTime, closed;
    Omit<std::int64_t> votersCount;
};
DESCRIBE(
    Note, contexts, id, type, summary, inReplyTo, published, updated, url, attributedTo, to, cc, sensitive,
    atomUri, inReplyToAtomUri, conversation, context, directMessage, quote, _misskey_quote, quoteUri,
    quoteAuthorization, replyAuthorization, approvedBy, interactionPolicy, content, contentMap, attachment,
    tag, replies, likes, shares, oneOf, anyOf, endTime, closed, votersCount
)
unsigned terms_of(const Note&);

// A vote in a poll.
struct Vote {
    std::string id, type = "Note", name, inReplyTo, attributedTo, to;
};
DESCRIBE(Vote, id, type, name, inReplyTo, attributedTo, to)

struct Tombstone {
    std::string id, type = "Tombstone";
    Omit<std::string> atomUri;
};
DESCRIBE(Tombstone, id, type, atomUri)

// The Tombstone of a deleted object.
struct Remains {
    SpreadRaw contexts;
    std::string id, type = "Tombstone";
};
DESCRIBE(Remains, contexts, id, type)

// The consent of a post's author to a quote (FEP-044f).
struct QuoteAuthorization {
    SpreadRaw contexts;
    std::string id, type = "QuoteAuthorization", attributedTo, interactingObject, interactionTarget;
};
DESCRIBE(QuoteAuthorization, contexts, id, type, attributedTo, interactingObject, interactionTarget)

// The consent of a post's author to a reply.
struct ReplyAuthorization {
    SpreadRaw contexts;
    std::string id, type = "ReplyAuthorization", attributedTo, interactingObject, interactionTarget;
};
DESCRIBE(ReplyAuthorization, contexts, id, type, attributedTo, interactingObject, interactionTarget)

// ---- collections of accounts (FEP-7aa9) ----

struct FeaturedItem {
    SpreadRaw contexts;
    std::string id, type = "FeaturedItem", featuredObject, featuredObjectType, featureAuthorization;
    WholeSeconds published;
};
DESCRIBE(
    FeaturedItem, contexts, id, type, featuredObject, featuredObjectType, featureAuthorization, published
)

struct FeaturedCollection {
    SpreadRaw contexts;
    std::string id, type = "FeaturedCollection", attributedTo, name;
    Omit<std::string> summary;
    Omit<std::map<std::string, std::string>> summaryMap;
    std::string url;
    bool sensitive = false, discoverable = true;
    Omit<Tag> topic;
    WholeSeconds published, updated;
    std::int64_t totalItems = 0;
    std::vector<FeaturedItem> orderedItems;
};
DESCRIBE(
    FeaturedCollection, contexts, id, type, attributedTo, name, summary, summaryMap, url, sensitive,
    discoverable, topic, published, updated, totalItems, orderedItems
)

// The consent of an account to being in a collection.
struct FeatureAuthorization {
    SpreadRaw contexts;
    std::string id, type = "FeatureAuthorization", attributedTo, interactingObject, interactionTarget;
};
DESCRIBE(FeatureAuthorization, contexts, id, type, attributedTo, interactingObject, interactionTarget)

// ---- activities ----

struct Activity {
    SpreadRaw contexts;
    std::string id, type, actor;
    Omit<WholeSeconds> published;
    Omit<std::vector<std::string>> to, cc;
    Omit<std::string> content;
    Omit<Raw> object;
    Omit<std::string> target;
    Omit<Raw> instrument;
    Omit<std::string> result;
};
DESCRIBE(Activity, contexts, id, type, actor, published, to, cc, content, object, target, instrument, result)

// As a top-level document. The context has the terms for a linked-data signature, which public ones may get.
std::string document(Activity, unsigned terms = 0);
template <class T>
std::string document(T value, unsigned terms = 0) {
    value.contexts = context(terms);
    return base::json::to_string(value);
}

// Embedded in another document.
Raw embedded(Activity);

Activity follow(std::string id, std::string actor, std::string_view target);
Activity accept(std::string id, std::string actor, Raw object);
Activity reject(std::string id, std::string actor, Raw object);
Activity like(std::string id, std::string actor, std::string_view object);
Activity block(std::string id, std::string actor, std::string_view target);
Activity undo(const Activity&);
// Addressed to the public: the Delete of a post, an authorization or an actor, with the id only.
Activity removal(std::string id, std::string actor, Raw object);
Activity move(std::string id, std::string actor, std::string target, std::vector<std::string> to);
Activity flag(
    std::string id, std::string actor, std::string comment, const std::vector<std::string>& accused
);
// For pinned posts and featured hashtags.
Activity add(std::string id, std::string actor, Raw object, std::string target);
Activity remove(std::string id, std::string actor, Raw object, std::string target);
Activity quote_request(std::string id, std::string actor, std::string_view quoted, Raw quoting);
Activity reply_request(std::string id, std::string actor, std::string_view parent, Raw reply);
Activity feature_request(
    std::string id, std::string actor, std::string_view account, std::string_view collection
);

}  // namespace ap::write
