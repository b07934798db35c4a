// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/activity.hpp"

#include "ap/object.hpp"
#include "ap/url.hpp"

namespace ap {

namespace {

constexpr std::size_t longest_content = 10000, longest_reaction = 128;

}  // namespace

Reading<Activity> read_activity(const Document& document, Time now) {
    auto node = document.node();
    if (kind_of(node) != Kind::activity) return Refusal::other_type;
    Activity out;
    out.type = activity_type(node);
    out.id = node["id"].web_id();
    out.actor = node["actor"].web_id();
    if (out.actor.empty()) return Refusal::no_actor;
    out.objects = references(document, node["object"]);
    if (!out.objects.empty()) out.object = out.objects.front();
    out.target = reference(document, node["target"]);
    out.result = reference(document, node["result"]);
    out.instrument = reference(document, node["instrument"]);
    out.origin = reference(document, node["origin"]);
    out.audience = read_audience(node);
    out.published = node["published"].time(now);
    out.content = text_of(node, "content", longest_content).text;
    if (out.content.empty()) out.content = node["_misskey_reaction"].text(longest_reaction);
    // Lemmy says in the summary why it reports.
    if (out.content.empty() && out.is("Flag")) out.content = text_of(node, "summary", longest_content).text;
    out.emojis = read_tags(node["tag"], now).emojis;
    out.group = node["audience"].web_id();
    out.has_signature = node["signature"].is_object();
    out.has_proof = static_cast<bool>(node["proof"]);
    out.document = document;
    return out;
}

bool has_own_id(const Activity& activity) {
    return activity.id.empty() || same_host(activity.id, activity.actor);
}

bool may_trust_embedded(const Activity& activity) { return may_trust_embedded(activity, activity.object); }

bool may_trust_embedded(const Activity& activity, const Reference& reference) {
    auto node = reference.embedded.node();
    if (!node.is_object() || !same_host(reference.id, activity.actor)) return false;
    auto author = author_of(node);
    return author.empty() || author == activity.actor;
}

std::string post_meant(const Reference& reference) {
    auto node = reference.embedded.node();
    if (!reference.embedded || kind_of(node) != Kind::activity) return reference.id;
    return node.is("Create") || node.is("Update") ? node["object"].id() : std::string();
}

std::string reaction_of(const Activity& activity) {
    bool reacts = activity.is("Like") || activity.is("EmojiReact");
    return reacts ? cut(activity.content, longest_reaction) : std::string();
}

}  // namespace ap
