// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/text/hashtag.hpp"
#include "takeover/mastodon/reading.hpp"

#include <array>
#include <unordered_set>

namespace takeover::mastodon {

namespace {

MaybeText uri_of(const std::string& uri) {
    if (!is_address(uri)) return std::nullopt;
    return uri;
}

std::unordered_set<std::string> people_here(const Reading& r) {
    std::unordered_set<std::string> out;
    r.db.run("SELECT id FROM accounts WHERE domain IS NULL", {}, [&](const db::Foreign::Row& row) {
        out.emplace(row[0].value_or(""));
    });
    return out;
}

void take_follows(const Reading& r, const char* name, bool request, const std::string& position, Sink& sink) {
    const auto here = people_here(r);
    r.each<Follow>(request ? "follow request" : "follow", name, position, sink, [&](const Follow& f) {
        if (!r.account(sink, f.account_id) || !r.account(sink, f.target_account_id)) return;
        if (f.account_id == f.target_account_id) return;
        FollowRow row;
        row.id = f.id;
        row.account_id = f.account_id;
        row.target_id = f.target_account_id;
        row.show_reblogs = f.show_reblogs;
        row.notify = f.notify;
        row.request = request;
        row.uri = uri_of(f.uri);
        if (f.languages && !f.languages->items.empty())
            row.languages = base::json::to_string(f.languages->items);
        row.created_at = f.created_at;
        row.backfills = here.contains(std::to_string(f.account_id));
        sink.put(std::move(row));
    });
}

}  // namespace

void copy_quotes(const Reading& r, const std::string& position, Sink& sink) {
    constexpr const char* states[] = {"pending", "accepted", "rejected", "revoked", "deleted"};
    r.each<Quote>("quote", "quotes", position, sink, [&](const Quote& q) {
        if (!r.status(sink, q.status_id) || !r.status(sink, q.quoted_status_id)) return;
        if (!r.account(sink, q.account_id) || !r.account(sink, q.quoted_account_id)) return;
        if (q.state < 0 || q.state >= static_cast<std::int64_t>(std::size(states)))
            return sink.refuse("quote", std::to_string(q.id), "its state is not known");
        QuoteRow row;
        row.id = q.id;
        row.status_id = q.status_id;
        row.account_id = q.account_id;
        row.quoted_id = q.quoted_status_id;
        row.quoted_account_id = q.quoted_account_id;
        row.state = states[q.state];
        if (is_address(q.approval_uri)) row.authorization_uri = q.approval_uri;
        row.legacy = q.legacy;
        row.created_at = q.created_at;
        sink.put(std::move(row));
    });
}

void copy_votes(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<PollVote>(
        "vote",
        "(SELECT v.id, v.account_id, p.status_id, v.choice FROM poll_votes v JOIN polls p ON p.id = "
        "v.poll_id) "
        "AS x",
        position,
        sink,
        [&](const PollVote& v) {
            if (r.status(sink, v.status_id) && r.account(sink, v.account_id))
                sink.put(VoteRow{v.status_id, v.account_id, v.choice, v.choice});
        }
    );
}

void copy_favourites(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Fave>("favourite", "favourites", position, sink, [&](const Fave& f) {
        if (r.account(sink, f.account_id) && r.status(sink, f.status_id))
            sink.put(FavouriteRow{f.id, f.account_id, f.status_id, std::nullopt});
    });
}

void copy_bookmarks(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Fave>("bookmark", "bookmarks", position, sink, [&](const Fave& b) {
        if (r.account(sink, b.account_id) && r.status(sink, b.status_id))
            sink.put(BookmarkRow{b.id, b.account_id, b.status_id});
    });
}

void copy_follows(const Reading& r, const std::string& position, Sink& sink) {
    take_follows(r, "follows", false, position, sink);
}
void copy_follow_requests(const Reading& r, const std::string& position, Sink& sink) {
    take_follows(r, "follow_requests", true, position, sink);
}

void copy_blocks(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Block>("block", "blocks", position, sink, [&](const Block& b) {
        if (r.account(sink, b.account_id) && r.account(sink, b.target_account_id))
            sink.put(BlockRow{b.id, b.account_id, b.target_account_id, uri_of(b.uri), b.created_at});
    });
}

void copy_mutes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Mute>("mute", "mutes", position, sink, [&](const Mute& m) {
        if (!r.account(sink, m.account_id) || !r.account(sink, m.target_account_id)) return;
        sink.put(
            MuteRow{m.id, m.account_id, m.target_account_id, m.hide_notifications, m.expires_at, m.created_at}
        );
    });
}

void copy_domain_mutes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<DomainMute>("domain block", "account_domain_blocks", position, sink, [&](const DomainMute& d) {
        if (r.account(sink, d.account_id) && is_domain(d.domain))
            sink.put(DomainMuteRow{d.id, d.account_id, d.domain, d.created_at});
    });
}

void copy_notes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Note>("note", "account_notes", position, sink, [&](const Note& n) {
        if (r.account(sink, n.account_id) && r.account(sink, n.target_account_id) && !n.comment.empty())
            sink.put(NoteRow{n.account_id, n.target_account_id, n.comment});
    });
}

void copy_thread_mutes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<ThreadMute>("thread mute", "conversation_mutes", position, sink, [&](const ThreadMute& m) {
        if (r.account(sink, m.account_id)) sink.put(ConversationMuteRow{m.account_id, m.conversation_id});
    });
}

void copy_tags(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Tag>("tag", "tags", position, sink, [&](const Tag& t) {
        const auto former = std::to_string(t.id);
        auto name = base::text::normalise_hashtag(t.name);
        if (!base::text::valid_hashtag(name)) return sink.refuse("tag", former, "its name is none");
        TagRow row{
            t.id,
            std::move(name),
            t.display_name.empty() ? t.name : t.display_name,
            t.created_at,
            t.listable.value_or(true),
            t.usable.value_or(true)
        };
        sink.put(std::move(row), "tag", former, "another one has this name");
    });
}

namespace {

void take_tags_of(
    const Reading& r, const char* kind, const char* name, const std::string& position, Sink& sink,
    const std::function<void(const TagOf&)>& f
) {
    r.each_of<TagOf>(
        kind,
        "(SELECT o.id, o.account_id, o.tag_id, COALESCE(NULLIF(t.display_name, ''), t.name) AS name FROM " +
            std::string(name) + " o JOIN tags t ON t.id = o.tag_id) AS x",
        position,
        sink,
        [&](const TagOf& t) {
            if (r.account(sink, t.account_id) && !sink.is_refused("tag", std::to_string(t.tag_id))) f(t);
        }
    );
}

}  // namespace

void copy_followed_tags(const Reading& r, const std::string& position, Sink& sink) {
    take_tags_of(r, "followed tag", "tag_follows", position, sink, [&](const TagOf& t) {
        sink.put(TagFollowRow{t.id, t.account_id, t.tag_id});
    });
}

void copy_featured_tags(const Reading& r, const std::string& position, Sink& sink) {
    take_tags_of(r, "featured tag", "featured_tags", position, sink, [&](const TagOf& t) {
        sink.put(FeaturedTagRow{t.id, t.account_id, t.tag_id, t.name});
    });
}

void copy_endorsements(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Pair>("endorsement", "account_pins", position, sink, [&](const Pair& p) {
        if (r.account(sink, p.account_id) && r.account(sink, p.target_account_id))
            sink.put(EndorsementRow{p.account_id, p.target_account_id, p.created_at});
    });
}

void copy_suggestion_mutes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Pair>("dismissed suggestion", "follow_recommendation_mutes", position, sink, [&](const Pair& p) {
        if (r.account(sink, p.account_id) && r.account(sink, p.target_account_id))
            sink.put(SuggestionDismissalRow{p.account_id, p.target_account_id});
    });
}

void copy_lists(const Reading& r, const std::string& position, Sink& sink) {
    constexpr std::array policies{"list", "followed", "none"};
    r.each<List>("list", "lists", position, sink, [&](const List& l) {
        if (!r.account(sink, l.account_id)) return;
        const bool known =
            l.replies_policy >= 0 && l.replies_policy < static_cast<std::int64_t>(policies.size());
        sink.put(ListRow{
            l.id,
            l.account_id,
            l.title,
            known ? policies[static_cast<std::size_t>(l.replies_policy)] : policies[0],
            l.exclusive
        });
    });
}

// Whom somebody asked to follow stands in it as well.
void copy_list_members(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<ListMember>(
        "list member",
        "(SELECT m.id, m.list_id, m.account_id, l.account_id AS owner FROM list_accounts m JOIN lists l ON "
        "l.id = "
        "m.list_id) AS x",
        position,
        sink,
        [&](const ListMember& m) {
            if (r.account(sink, m.owner) && r.account(sink, m.account_id))
                sink.put(ListMemberRow{m.list_id, m.account_id});
        }
    );
}

void copy_filters(const Reading& r, const std::string& position, Sink& sink) {
    constexpr std::array actions{filters::Action::warn, filters::Action::hide, filters::Action::blur};
    r.each<Filter>("filter", "custom_filters", position, sink, [&](const Filter& f) {
        if (!r.account(sink, f.account_id)) return;
        const bool known = f.action >= 0 && f.action < static_cast<std::int64_t>(actions.size());
        sink.put(FilterRow{
            f.id,
            f.account_id,
            f.phrase,
            base::json::to_string(f.context.items),
            known ? actions[static_cast<std::size_t>(f.action)] : filters::Action::warn,
            f.expires_at
        });
    });
}

namespace {

// Of a filter whose owner came along.
std::string of_filters(const char* name) {
    return "(SELECT o.*, f.account_id FROM " + std::string(name) +
           " o JOIN custom_filters f ON f.id = o.custom_filter_id) AS x";
}

}  // namespace

void copy_filter_keywords(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<FilterKeyword>(
        "filter keyword",
        of_filters("custom_filter_keywords"),
        position,
        sink,
        [&](const FilterKeyword& k) {
            if (r.account(sink, k.account_id) &&
                !sink.is_refused("filter", std::to_string(k.custom_filter_id)))
                sink.put(FilterKeywordRow{k.id, k.custom_filter_id, k.keyword, k.whole_word});
        }
    );
}

void copy_filter_statuses(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<FilterStatus>(
        "filtered post",
        of_filters("custom_filter_statuses"),
        position,
        sink,
        [&](const FilterStatus& s) {
            if (r.account(sink, s.account_id) && r.status(sink, s.status_id) &&
                !sink.is_refused("filter", std::to_string(s.custom_filter_id)))
                sink.put(FilterStatusRow{s.id, s.custom_filter_id, s.status_id});
        }
    );
}

}  // namespace takeover::mastodon
