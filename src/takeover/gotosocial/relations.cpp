// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/gotosocial/reading.hpp"

#include <charconv>
#include <unordered_set>

namespace takeover::gotosocial {

namespace {

std::optional<std::string> uri_of(const std::string& uri) {
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

void take_follows(
    const Reading& r, const char* table, bool request, const std::string& position, Sink& sink
) {
    const auto here = people_here(r);
    const char* kind = request ? "follow request" : "follow";
    r.each<Follow>(kind, table, position, sink, [&](const Follow& f) {
        const auto from = r.account(sink, f.account_id), to = r.account(sink, f.target_account_id);
        if (!from || !to || *from == *to) return;
        FollowRow row;
        row.id = sink.numbers.give(kind, f.id, f.created_at);
        row.account_id = *from;
        row.target_id = *to;
        row.show_reblogs = f.show_reblogs;
        row.notify = f.notify;
        row.request = request;
        row.uri = uri_of(f.uri);
        row.created_at = f.created_at;
        row.backfills = here.contains(f.account_id);
        sink.put(std::move(row));
    });
}

}  // namespace

void copy_follows(const Reading& r, const std::string& position, Sink& sink) {
    take_follows(r, "follows", false, position, sink);
}
void copy_follow_requests(const Reading& r, const std::string& position, Sink& sink) {
    take_follows(r, "follow_requests", true, position, sink);
}

void copy_blocks(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Block>("block", "blocks", position, sink, [&](const Block& b) {
        const auto from = r.account(sink, b.account_id), to = r.account(sink, b.target_account_id);
        if (!from || !to) return;
        sink.put(
            BlockRow{sink.numbers.give("block", b.id, b.created_at), *from, *to, uri_of(b.uri), b.created_at}
        );
    });
}

void copy_mutes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Mute>("mute", "user_mutes", position, sink, [&](const Mute& m) {
        const auto from = r.account(sink, m.account_id), to = r.account(sink, m.target_account_id);
        if (!from || !to) return;
        sink.put(MuteRow{
            sink.numbers.give("mute", m.id, m.created_at),
            *from,
            *to,
            m.notifications,
            m.expires_at,
            m.created_at
        });
    });
}

void copy_notes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Note>("note", "account_notes", position, sink, [&](const Note& n) {
        const auto from = r.account(sink, n.account_id), to = r.account(sink, n.target_account_id);
        if (from && to && !n.comment.empty()) sink.put(NoteRow{*from, *to, n.comment});
    });
}

void copy_thread_mutes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<ThreadMute>("thread mute", "thread_mutes", position, sink, [&](const ThreadMute& m) {
        const auto account = r.account(sink, m.account_id), thread = sink.numbers.find("thread", m.thread_id);
        if (account && thread) sink.put(ConversationMuteRow{*account, *thread});
    });
}

// A table without ids: at once, and again if it was cut off.
void copy_followed_tags(const Reading& r, const std::string&, Sink& sink) {
    r.db.each<FollowedTag>(
        "followed_tags",
        "ORDER BY account_id, tag_id",
        {},
        [&](const FollowedTag& f) {
            const auto account = r.account(sink, f.account_id), tag = sink.numbers.find("tag", f.tag_id);
            if (account && tag) {
                const auto id = sink.numbers.give("tag follow", f.account_id + " " + f.tag_id, r.choice.now);
                sink.put(TagFollowRow{id, *account, *tag});
            }
            sink.done("");
        },
        r.refusing("followed tag", sink)
    );
}

void copy_lists(const Reading& r, const std::string& position, Sink& sink) {
    r.each<List>("list", "lists", position, sink, [&](const List& l) {
        const auto account = r.account(sink, l.account_id);
        if (!account) return;
        const bool known = l.replies_policy == "followed" || l.replies_policy == "none";
        sink.put(ListRow{
            sink.numbers.give("list", l.id, l.created_at),
            *account,
            l.title,
            known ? l.replies_policy : "list",
            l.exclusive
        });
    });
}

void copy_list_entries(const Reading& r, const std::string& position, Sink& sink) {
    r.each<ListMember>(
        "list entry",
        "(SELECT e.id, e.list_id, f.target_account_id AS target FROM list_entries e JOIN follows f ON f.id = "
        "e.follow_id) AS x",
        position,
        sink,
        [&](const ListMember& m) {
            const auto list = sink.numbers.find("list", m.list_id), account = r.account(sink, m.target);
            if (list && account) sink.put(ListMemberRow{*list, *account});
        }
    );
}

namespace {

std::string contexts_of(std::int64_t bits) {
    constexpr std::pair<std::int64_t, const char*> words[] = {
        {2, "home"}, {4, "notifications"}, {8, "public"}, {16, "thread"}, {32, "account"}
    };
    std::vector<std::string> out;
    for (const auto& [bit, word] : words)
        if ((bits & bit) != 0) out.emplace_back(word);
    return base::json::to_string(out);
}

}  // namespace

void copy_filters(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Filter>("filter", "filters", position, sink, [&](const Filter& f) {
        const auto account = r.account(sink, f.account_id);
        if (!account) return;
        constexpr std::int64_t hide = 2;
        sink.put(FilterRow{
            sink.numbers.give("filter", f.id, time_of_ulid(f.id).value_or(r.choice.now)),
            *account,
            f.title,
            contexts_of(f.contexts),
            f.action == hide ? filters::Action::hide : filters::Action::warn,
            f.expires_at
        });
    });
}

void copy_filter_keywords(const Reading& r, const std::string& position, Sink& sink) {
    r.each<FilterKeyword>("filter keyword", "filter_keywords", position, sink, [&](const FilterKeyword& k) {
        const auto filter = sink.numbers.find("filter", k.filter_id);
        if (!filter) return;
        const auto id = sink.numbers.give("filter_keyword", k.id, time_of_ulid(k.id).value_or(r.choice.now));
        sink.put(FilterKeywordRow{id, *filter, k.keyword, k.whole_word});
    });
}

void copy_filter_statuses(const Reading& r, const std::string& position, Sink& sink) {
    r.each<FilterStatus>("filtered post", "filter_statuses", position, sink, [&](const FilterStatus& s) {
        const auto filter = sink.numbers.find("filter", s.filter_id);
        const auto status = r.status(sink, s.status_id);
        if (!filter || !status) return;
        const auto id = sink.numbers.give("filter_status", s.id, time_of_ulid(s.id).value_or(r.choice.now));
        sink.put(FilterStatusRow{id, *filter, *status});
    });
}

}  // namespace takeover::gotosocial
