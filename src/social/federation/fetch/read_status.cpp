// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/read_status.hpp"

#include "ap/content.hpp"
#include "ap/url.hpp"
#include "ap/webfinger.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/federation/fetch/fetch.hpp"
#include "social/statuses/interactions/approval.hpp"

#include <algorithm>

namespace federation {

bool is_status(const ap::Object& object) {
    for (auto type : {"Note", "Question", "Article", "Page", "Event", "Video", "Audio", "Image"})
        if (object.type == type) return !object.is_vote();
    return false;
}

namespace {

// "@alice@example.com"; "@alice" is of the server that the address is of.
std::optional<accounts::Account> account_called(db::Read& db, const ap::Mention& mention) {
    auto name = mention.name;
    if (name.find('@', 1) == name.npos) name += "@" + ap::host_of(mention.href);
    const auto handle = ap::parse_handle(name);
    if (!handle) return std::nullopt;
    bool ours = has_our_host(db.site(), "https://" + handle->domain);
    return accounts::find_by_acct(db, ours ? handle->name : handle->text());
}

// By the id of an actor; of people here also by the address of their page, as some write it. Else by the handle: of people here, and
// of others where the address is of their server.
std::optional<AccountId> person(db::Read& db, const ap::Mention& mention) {
    if (auto known = accounts::find_by_uri(db, mention.href)) return known;
    if (has_our_host(db.site(), mention.href)) {
        auto local = accounts::find_by_acct(db, mention.href.substr(mention.href.rfind('/') + 1));
        if (local && local->local()) return local->id;
    }
    const auto called = account_called(db, mention);
    if (!called || (!called->local() && !ap::same_host(called->uri, mention.href))) return std::nullopt;
    return called->id;
}

statuses::QuotePolicy policy_of(const ap::Rule& rule, std::string_view followers) {
    for (const auto& id : rule.automatic) {
        if (ap::is_public(id)) return statuses::QuotePolicy::public_;
        if (!followers.empty() && id == followers) return statuses::QuotePolicy::followers;
    }
    return statuses::QuotePolicy::nobody;
}

// The author may always; a list with the author alone means nobody else.
std::int64_t approval_of(
    const ap::Rule& rule, std::string_view author, std::string_view followers, std::string_view following
) {
    using Groups = statuses::ApprovalPolicy;
    auto groups = [&](const std::vector<std::string>& ids) {
        std::int64_t out = 0;
        for (const auto& id : ids) {
            if (ap::is_public(id)) out |= Groups::public_;
            else if (!followers.empty() && id == followers) out |= Groups::followers;
            else if (!following.empty() && id == following) out |= Groups::following;
            else if (id != author) out |= Groups::unsupported_policy;
        }
        return out;
    };
    return statuses::stored({rule.given, groups(rule.automatic), groups(rule.manual)});
}

media::RemoteMedia media_of(const ap::Media& m) {
    media::RemoteMedia out{m.url, m.thumbnail, m.media_type, m.description, m.blurhash};
    // Without a mediaType the type of the object is used.
    if (out.mime.empty() && m.type == "Image") out.mime = "image/*";
    if (out.mime.empty() && m.type == "Video") out.mime = "video/*";
    if (out.mime.empty() && m.type == "Audio") out.mime = "audio/*";
    out.width = m.width.value_or(0);
    out.height = m.height.value_or(0);
    if (m.focus) std::tie(out.focus_x, out.focus_y) = *m.focus;
    out.duration = m.seconds;
    return out;
}

statuses::RemotePoll poll_of(const ap::Poll& poll, base::Time now) {
    statuses::RemotePoll out;
    out.multiple = poll.multiple;
    for (const auto& option : poll.options) out.options.push_back({option.name, option.votes});
    out.expires_at = poll.ends;
    if (poll.closed && (!poll.ends || *poll.ends > now)) out.expires_at = now;
    out.voters_count = poll.voters;
    return out;
}

void address(
    db::Read& db, statuses::RemoteStatus& out, const ap::Object& object, const ap::Audience& audience,
    std::string_view followers, AccountId recipient
) {
    auto& all = out.mentions;
    auto add = [&](AccountId id, bool silent) {
        auto is_it = [&](const auto& m) { return m.account == id; };
        if (id != out.author && std::ranges::none_of(all, is_it)) all.push_back({id, silent});
    };
    for (const auto& mention : object.tags.mentions)
        if (auto id = person(db, mention)) add(*id, false);
    bool silent = false;
    for (const auto& uri : ap::addressed(audience, followers)) {
        auto id = accounts::find_by_uri(db, uri);
        if (!id) continue;
        auto before = all.size();
        add(*id, true);
        silent = silent || (all.size() > before && has_our_host(db.site(), uri));
    }
    if (recipient) {
        auto before = all.size();
        add(recipient, true);
        silent = silent || all.size() > before;
    }
    // A recipient is not mentioned in it, so it is not a direct message.
    if (out.visibility == statuses::Visibility::direct && silent)
        out.visibility = statuses::Visibility::limited;
}

}  // namespace

std::vector<std::string> unknown_mentions(db::Read& db, const ap::Object& object, std::size_t most) {
    std::vector<std::string> out;
    for (const auto& mention : object.tags.mentions) {
        if (out.size() == most) break;
        if (!person(db, mention) && may_ask(db, mention.href)) out.push_back(mention.href);
    }
    return out;
}

statuses::RemoteStatus status_of(
    db::Read& db, const ap::Object& object, AccountId author, const ap::Audience& of_activity,
    AccountId recipient
) {
    statuses::RemoteStatus out;
    auto actor = stored_actor(db, author).value_or(StoredActor());
    const auto& followers = actor.followers;
    out.uri = object.id;
    out.url = object.url;
    out.author = author;
    out.html = statuses::RemoteHtml::sanitized(ap::content_html(object));
    out.spoiler_text = ap::warning(object);
    out.sensitive = object.sensitive || !out.spoiler_text.empty() ||
                    std::ranges::any_of(object.media, &ap::Media::sensitive);
    if (!object.language.empty()) out.language = object.language;
    static_assert(
        static_cast<int>(ap::Visibility::limited) == static_cast<int>(statuses::Visibility::limited)
    );
    out.visibility = static_cast<statuses::Visibility>(ap::visibility_of(object, of_activity, followers));
    out.published = object.published;
    out.updated = object.updated;
    out.in_reply_to = object.in_reply_to;
    out.context = object.context;
    if (ap::same_host(object.replies.id, object.id)) {
        out.replies = object.replies.id;
        // If the post links to a page with its own query parameters, the collection without them may list
        // fewer replies.
        const auto& page = object.replies.next;
        if (!object.replies.listed && page.starts_with(out.replies + "?"))
            out.replies_page = page.substr(out.replies.size());
    }
    address(db, out, object, object.audience.empty() ? of_activity : object.audience, followers, recipient);
    for (const auto& tag : object.tags.hashtags) out.tags.push_back(tag.name);
    for (const auto& m : object.media) out.media.push_back(media_of(m));
    for (const auto& emoji : object.tags.emojis)
        out.emojis.push_back({emoji.shortcode, emoji.url, emoji.updated});
    if (object.poll) out.poll = poll_of(*object.poll, db.now());
    if (object.quote && !object.quote->deleted)
        out.quote =
            statuses::RemoteQuote{object.quote->id, object.quote->authorization, object.quote->legacy};
    out.quote_policy = policy_of(object.policy.can_quote, followers);
    out.quote_approval =
        approval_of(object.policy.can_quote, object.attributed_to, followers, actor.following);
    if (!object.policy.can_quote.given && (object.policy.can_like.given || object.policy.can_announce.given))
        out.quote_approval = statuses::knows_no_quotes;
    auto replies = approval_of(object.policy.can_reply, object.attributed_to, followers, actor.following);
    // Everybody may, which is also the default.
    bool open = (statuses::read_stored(replies).automatic & statuses::ApprovalPolicy::public_) != 0;
    out.reply_approval = open ? 0 : replies;
    out.reply_authorization = object.approved_by;
    out.favourites_count = object.likes.total;
    out.reblogs_count = object.shares.total;
    return out;
}

}  // namespace federation
