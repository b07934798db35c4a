// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/fixtures.hpp"

#include "ap/activity.hpp"
#include "ap/actor.hpp"
#include "ap/collection.hpp"
#include "ap/content.hpp"
#include "ap/nodeinfo.hpp"
#include "ap/object.hpp"
#include "ap/quote_authorization.hpp"
#include "ap/webfinger.hpp"
#include "base/describe.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace fixtures {

namespace {

namespace json = boost::json;
using namespace ap;

constexpr Time now{1'893'456'000'000};  // 2030, after everything that the documents tell of

template <class E>
std::string word(E e) {
    return std::string(base::word(e));
}

void put(json::object& out, std::string_view name, std::string_view text) {
    if (!text.empty()) out[name] = text;
}
void put(json::object& out, std::string_view name, bool value) {
    if (value) out[name] = true;
}
void put(json::object& out, std::string_view name, std::optional<std::int64_t> value) {
    if (value) out[name] = *value;
}
void put(json::object& out, std::string_view name, std::optional<Time> value) {
    if (value) out[name] = base::to_string(*value);
}
void put(json::object& out, std::string_view name, json::array value) {
    if (!value.empty()) out[name] = std::move(value);
}
void put(json::object& out, std::string_view name, json::object value) {
    if (!value.empty()) out[name] = std::move(value);
}

json::array list(const std::vector<std::string>& texts) { return json::array(texts.begin(), texts.end()); }

template <class T, class F>
json::array list(const std::vector<T>& items, F text) {
    json::array out;
    for (const auto& item : items) out.emplace_back(text(item));
    return out;
}

std::string plain(double number) {
    std::ostringstream out;
    out << number;
    return out.str();
}

json::object refused(Refusal why) { return {{"outcome", "refused"}, {"why", word(why)}}; }

void put_tags(json::object& out, const Tags& tags) {
    put(out, "mentions", list(tags.mentions, [](const Mention& m) { return m.name + " " + m.href; }));
    put(out, "hashtags", list(tags.hashtags, [](const Hashtag& h) { return h.name; }));
    put(out, "emojis", list(tags.emojis, [](const Emoji& e) { return e.shortcode + " " + e.url; }));
}

json::object of(const Media& media) {
    json::object out;
    put(out, "type", media.type);
    put(out, "media_type", media.media_type);
    put(out, "url", media.url);
    put(out, "description", media.description);
    put(out, "blurhash", media.blurhash);
    if (media.focus) out["focus"] = plain(media.focus->first) + " " + plain(media.focus->second);
    if (media.width && media.height)
        out["size"] = std::to_string(*media.width) + "x" + std::to_string(*media.height);
    if (media.seconds) out["seconds"] = plain(*media.seconds);
    put(out, "thumbnail", media.thumbnail);
    return out;
}

json::object of(const Poll& poll) {
    json::object out;
    put(out, "multiple", poll.multiple);
    put(out, "options", list(poll.options, [](const Option& o) {
            return o.name + ": " + std::to_string(o.votes);
        }));
    put(out, "ends", poll.ends);
    put(out, "closed", poll.closed);
    put(out, "voters", poll.voters);
    return out;
}

json::object of(const Quote& quote) {
    json::object out;
    put(out, "id", quote.id);
    put(out, "authorization", quote.authorization);
    put(out, "legacy", quote.legacy);
    put(out, "deleted", quote.deleted);
    return out;
}

json::object of(const Rule& rule) {
    json::object out;
    put(out, "automatic", list(rule.automatic));
    put(out, "manual", list(rule.manual));
    return out;
}

json::object of(const Responses& responses) {
    json::object out;
    put(out, "id", responses.id);
    put(out, "total", responses.total);
    put(out, "items", list(responses.items));
    put(out, "next", responses.next);
    return out;
}

json::object status(const Object& object, const Audience& audience) {
    json::object out{{"outcome", object.is_tombstone() ? "tombstone" : object.is_vote() ? "vote" : "status"}};
    put(out, "type", object.type);
    put(out, "id", object.id);
    put(out, "author", object.attributed_to);
    if (object.is_tombstone()) return out;
    // The followers' collection stands in the actor, who is not here: most have it below their id.
    put(out, "visibility", word(visibility_of(object, audience, object.attributed_to + "/followers")));
    put(out, "text", object.is_vote() ? object.name : content_html(object));
    put(out, "warning", warning(object));
    put(out, "language", object.language);
    put(out, "sensitive", object.sensitive);
    put(out, "published", object.published);
    put(out, "updated", object.updated);
    put(out, "url", object.url);
    put(out, "in_reply_to", object.in_reply_to);
    put(out, "conversation", object.conversation);
    put(out, "context", object.context);
    put(out, "group", object.group);
    put_tags(out, object.tags);
    put(out, "media", list(object.media, [](const Media& m) { return of(m); }));
    put(out, "links", list(object.links));
    if (object.poll) out["poll"] = of(*object.poll);
    if (object.quote) out["quote"] = of(*object.quote);
    json::object policy;
    put(policy, "like", of(object.policy.can_like));
    put(policy, "reply", of(object.policy.can_reply));
    put(policy, "announce", of(object.policy.can_announce));
    put(policy, "quote", of(object.policy.can_quote));
    put(out, "policy", std::move(policy));
    put(out, "replies", of(object.replies));
    put(out, "likes", of(object.likes));
    put(out, "shares", of(object.shares));
    put(out, "starts", object.starts);
    put(out, "finishes", object.finishes);
    put(out, "place", object.place);
    return out;
}

std::string of(const Picture& picture) {
    std::string out = picture.url.empty() ? picture.reference : picture.url;
    return picture.description.empty() ? out : out + " " + picture.description;
}

std::string of(const Listing& listing) {
    return listing.id + (listing.total ? " (" + std::to_string(*listing.total) + ")" : "");
}

std::string flags(const Actor& actor) {
    std::string out;
    auto add = [&](bool set, const char* name) {
        if (set) out.append(out.empty() ? "" : " ").append(name);
    };
    add(actor.manually_approves_followers, "locked");
    add(actor.discoverable, "discoverable");
    add(actor.indexable, "indexable");
    add(actor.memorial, "memorial");
    add(actor.suspended, "suspended");
    return out;
}

json::object of(const Actor& actor) {
    json::object out{{"outcome", "actor"}};
    put(out, "type", actor.type);
    put(out, "id", actor.id);
    put(out, "handle", actor.handle_name + "@" + actor.handle_domain);
    put(out, "username", actor.username == actor.handle_name ? std::string() : actor.username);
    put(out, "inbox", actor.inbox);
    put(out, "shared_inbox", actor.shared_inbox);
    put(out, "outbox", of(actor.outbox));
    put(out, "followers", of(actor.followers));
    put(out, "following", of(actor.following));
    put(out, "featured", of(actor.featured));
    put(out, "featured_tags", of(actor.featured_tags));
    put(out, "name", actor.name);
    put(out, "text", summary_html(actor));
    put(out, "url", actor.url);
    put(out, "icon", of(actor.icon));
    put(out, "image", of(actor.image));
    put(out, "fields", list(actor.fields, [](const Field& f) { return f.name + ": " + field_html(f); }));
    put_tags(out, actor.tags);
    put(out, "keys", list(actor.keys, [&](const Key& key) {
            auto kind = !key.multibase.empty() ? "multikey" : !key.pem.empty() ? "pem" : "reference";
            return key.id + " " + kind + (key.is_own(actor.id) ? "" : " not its own") +
                   (key.known() && !public_key(key) ? " unusable" : "");
        }));
    put(out, "also_known_as", list(actor.also_known_as));
    put(out, "moved_to", actor.moved_to);
    put(out, "attribution_domains", list(actor.attribution_domains));
    put(out, "flags", flags(actor));
    put(out, "published", actor.published);
    return out;
}

json::object of(const Collection& collection) {
    json::object out{{"outcome", collection.page ? "page" : "collection"}};
    put(out, "id", collection.id);
    put(out, "total", collection.total);
    put(out, "hidden", collection.hidden);
    put(out, "first", collection.first);
    put(out, "next", collection.next);
    put(out, "part_of", collection.part_of);
    put(out, "items", list(collection.items, [](const Reference& item) {
            return (item.embedded ? item.embedded.node().type() + " " : std::string()) + item.id;
        }));
    return out;
}

json::object read(const Document&, std::string_view presumed_author, const Audience&);

json::object of(const Activity& activity) {
    json::object out{{"outcome", "activity"}};
    put(out, "type", activity.type);
    put(out, "id", activity.id);
    put(out, "foreign_id", !has_own_id(activity));
    put(out, "actor", activity.actor);
    auto ids = list(activity.objects, [](const Reference& r) { return r.id; });
    if (ids.size() > 1) put(out, "objects", std::move(ids));
    else put(out, "object", activity.object.id);
    put(out, "target", activity.target.id);
    put(out, "result", activity.result.id);
    put(out, "instrument", activity.instrument.id);
    put(out,
        activity.is("Flag") ? "comment" : "reaction",
        activity.is("Flag") ? activity.content : reaction_of(activity));
    put(out, "emojis", list(activity.emojis, [](const Emoji& e) { return e.shortcode + " " + e.url; }));
    put(out, "published", activity.published);
    put(out, "group", activity.group);
    put(out, "signature", activity.has_signature);
    put(out, "proof", activity.has_proof);
    auto embedded = [&](const Reference& reference) {
        auto inner = read(reference.embedded, activity.actor, activity.audience);
        inner["trusted"] = may_trust_embedded(activity, reference);
        return inner;
    };
    json::array all;
    for (const auto& reference : activity.objects)
        if (reference.embedded) all.emplace_back(embedded(reference));
    if (all.size() == 1) out["embedded"] = std::move(all.front());
    else put(out, "embedded", std::move(all));
    if (activity.instrument.embedded && !activity.instrument.id.empty())
        out["embedded_instrument"] = embedded(activity.instrument);
    return out;
}

json::object of(const QuoteAuthorization& authorization) {
    return {
        {"outcome", "stamp"},
        {"id", authorization.id},
        {"author", authorization.attributed_to},
        {"quoting", authorization.interacting_object},
        {"quoted", authorization.interaction_target}
    };
}

template <class T>
json::object either(const Reading<T>& reading) {
    return reading ? of(*reading) : refused(reading.why());
}

json::object read(const Document& document, std::string_view presumed_author, const Audience& audience) {
    switch (kind_of(document.node())) {
        case Kind::actor: return either(read_actor(document, now));
        case Kind::collection: return either(read_collection(document));
        case Kind::activity: return either(read_activity(document, now));
        case Kind::object: {
            auto object = read_object(document, now, presumed_author);
            return object ? status(*object, audience) : refused(object.why());
        }
        case Kind::other: break;
    }
    if (document.node().is("QuoteAuthorization")) return either(read_quote_authorization(document));
    auto out = refused(Refusal::other_type);
    put(out, "type", document.node().type());
    return out;
}

// WebFinger and NodeInfo answers have no context; nobody would take them for a post.
json::object of_other(std::string_view text, Refusal why) {
    if (auto jrd = read_jrd(text); jrd) {
        json::object out{{"outcome", "webfinger"}, {"handle", jrd->subject.text()}, {"self", jrd->self}};
        put(out, "profile", jrd->profile);
        put(out, "follow", jrd->follow);
        put(out, "object", jrd->object);
        put(out, "subscribe", jrd->subscribe);
        return out;
    }
    if (auto link = nodeinfo_link(text); !link.empty()) return {{"outcome", "nodeinfo links"}, {"url", link}};
    if (auto info = read_nodeinfo(text); info) {
        json::object out{{"outcome", "nodeinfo"}, {"software", info->software}, {"version", info->version}};
        put(out, "users", info->users);
        put(out, "posts", info->posts);
        put(out, "open_registrations", info->open_registrations);
        return out;
    }
    return refused(why);
}

}  // namespace

std::string outcome(std::string_view name, std::string_view text) {
    json::object line{{"file", name}};
    auto document = read_document(text);
    auto found =
        document ? read(*document, {}, read_audience(document->node())) : of_other(text, document.why());
    for (auto& [key, value] : found) line[key] = std::move(value);
    return json::serialize(line);
}

std::vector<std::filesystem::path> documents(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".json") out.push_back(entry.path());
    std::ranges::sort(out);
    return out;
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace fixtures
