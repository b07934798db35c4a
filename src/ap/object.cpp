// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/object.hpp"

#include "ap/object_parts.hpp"
#include "ap/url.hpp"

#include <algorithm>
#include <array>

namespace ap {

namespace {

constexpr std::size_t longest_summary = 20 * 1024, longest_name = 2048;

std::string object_type(Node node) {
    constexpr auto known = std::to_array<std::string_view>(
        {"Note", "Question", "Article", "Page", "Event", "Video", "Audio", "Image", "Tombstone"}
    );
    for (const auto& type : node.types())
        if (std::ranges::find(known, type) != known.end()) return type;
    return {};
}

std::string quote_in_tags(Node tag) {
    for (auto one : tag.each(1000)) {
        if (!one.is("Link")) continue;
        auto rel = one["rel"].each(16);
        bool marked = std::ranges::any_of(rel, [](Node node) {
            auto text = node.text(200);
            return text == "https://misskey-hub.net/ns#_misskey_quote" ||
                   text == "https://w3id.org/fep/044f#quote";
        });
        if (marked) return one["href"].web_id();
    }
    return {};
}

std::optional<Quote> read_quote(Node node) {
    Quote out;
    out.authorization = node["quoteAuthorization"].web_id();
    if (auto quoted = node["quote"].first(); quoted.is("Tombstone")) {
        out.deleted = true;
        out.id = quoted.web_id();
        return out;
    }
    out.id = node["quote"].web_id();
    if (!out.id.empty()) return out;
    out.legacy = true;
    for (std::string_view name : {"_misskey_quote", "quoteUrl", "quoteUri", "quoteURL"})
        if (out.id.empty()) out.id = node[name].web_id();
    if (out.id.empty()) out.id = quote_in_tags(node["tag"]);
    if (out.id.empty()) return std::nullopt;
    return out;
}

Responses responses(const Document& document, Node node) {
    auto one = node.first();
    Responses out;
    out.id = one.web_id();
    if (!one.is_object()) return out;
    auto collection = read_collection(document.at(one));
    out.total = one["totalItems"].count();
    if (!collection) return out;
    for (auto& item : collection->items)
        if (is_web_url(item.id) && out.items.size() < 60) out.items.push_back(std::move(item.id));
    out.next = collection->first.empty() ? collection->next : collection->first;
    auto first = one["first"].first();
    out.listed = first["items"] || first["orderedItems"];
    return out;
}

void read_texts(Object& out, Node node) {
    auto content = text_of(node, "content");
    auto name = text_of(node, "name", longest_name);
    auto summary = text_of(node, "summary", longest_summary);
    out.language = !content.language.empty() ? content.language
                   : !name.language.empty()  ? name.language
                                             : summary.language;
    // Lemmy and PeerTube say it as an object.
    if (out.language.empty()) out.language = node["language"]["identifier"].text(35);
    if (out.language == "und") out.language.clear();
    out.content = std::move(content.text);
    out.name = std::move(name.text);
    out.summary = std::move(summary.text);
    out.content_type = node["mediaType"].text(100);
    if (out.content_type.empty()) out.content_type = "text/html";
}

void read_relations(Object& out, const Document& document, Node node) {
    out.in_reply_to = node["inReplyTo"].web_id();
    out.in_reply_to_atom = node["inReplyToAtomUri"].id();
    out.atom_uri = node["atomUri"].id();
    out.conversation = node["conversation"].id();
    if (out.conversation.empty()) out.conversation = node["inConversation"].id();
    out.context = node["context"].id();
    out.group = node["audience"].web_id();
    out.audience = read_audience(node);
    out.direct_message = node["directMessage"].boolean();
    out.policy = read_policy(node["interactionPolicy"]);
    // FEP-5624 names the same outside of a policy.
    if (!out.policy.can_reply.given) out.policy.can_reply.automatic = node["canReply"].ids(256);
    out.policy.can_reply.given = out.policy.can_reply.given || !out.policy.can_reply.automatic.empty();
    out.approved_by = node["replyAuthorization"].web_id();
    if (out.approved_by.empty()) out.approved_by = node["approvedBy"].web_id();
    out.replies = responses(document, node["replies"]);
    // PeerTube names its replies comments.
    if (out.replies.id.empty()) out.replies = responses(document, node["comments"]);
    out.likes = responses(document, node["likes"]);
    out.shares = responses(document, node["shares"]);
}

}  // namespace

std::string author_of(Node node) {
    auto all = node["attributedTo"].each(16);
    for (auto one : all)
        if (one.is("Person") && !one.web_id().empty()) return one.web_id();
    for (auto one : all)
        if (auto id = one.web_id(); !id.empty()) return id;
    return node["actor"].web_id();
}

Reading<Object> read_object(const Document& document, Time now, std::string_view presumed_author) {
    auto node = document.node();
    Object out;
    out.type = object_type(node);
    if (out.type.empty()) return Refusal::other_type;
    out.id = node.web_id();
    if (out.id.empty()) return Refusal::no_id;
    out.attributed_to = author_of(node);
    if (out.attributed_to.empty()) out.attributed_to = presumed_author;
    if (out.attributed_to.empty() && !out.is_tombstone()) return Refusal::no_author;
    if (!out.attributed_to.empty() && !same_host(out.attributed_to, out.id)) return Refusal::foreign_author;
    out.url = node["url"].link("text/html");

    read_texts(out, node);
    out.sensitive = node["sensitive"].flag();
    out.published = node["published"].time(now);
    out.updated = node["updated"].time(now);
    read_relations(out, document, node);
    out.tags = read_tags(node["tag"], now);
    read_attachments(out, node);
    if (node["oneOf"] || node["anyOf"]) out.poll = read_poll(node, now);
    out.quote = read_quote(node);
    if (out.type == "Event") {
        out.starts = node["startTime"].time_to_come();
        out.finishes = node["endTime"].time_to_come();
        out.place = text_of(node["location"].first(), "name", longest_name).text;
    }
    return out;
}

Visibility visibility_of(
    const Object& object, const Audience& of_activity, std::string_view author_followers
) {
    const auto& audience = object.audience.empty() ? of_activity : object.audience;
    return visibility_of(audience, author_followers, object.direct_message);
}

}  // namespace ap
