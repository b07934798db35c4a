// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits for somebody to read it, and what waits to be posted.
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "social/notifications/notification.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "takeover/mastodon/reading.hpp"

#include <array>
#include <unordered_map>

namespace takeover::mastodon {

void copy_conversations(const Reading& r, const std::string& position, Sink& sink) {
    r.each<ConversationView>(
        "conversation",
        "account_conversations",
        position,
        sink,
        [&](const ConversationView& c) {
            if (!r.account(sink, c.account_id) || !r.status(sink, c.last_status_id)) return;
            ConversationViewRow row;
            row.id = c.id;
            row.account_id = c.account_id;
            row.conversation_id = c.conversation_id;
            row.last_status_id = c.last_status_id;
            row.unread = c.unread;
            row.others = ids_of(c.participant_account_ids);
            // Without one of those it was led with it would be another one.
            if (!std::ranges::all_of(row.others, [&](Id id) { return r.account(sink, id).has_value(); }))
                return;
            for (const auto id : ids_of(c.status_ids))
                if (r.status(sink, id)) row.statuses.push_back(id);
            sink.put(std::move(row));
        }
    );
}

namespace {

const boost::json::value* member(const boost::json::object& of, const char* name) {
    const auto* value = of.if_contains(name);
    return value && !value->is_null() ? value : nullptr;
}

std::string text_in(const boost::json::object& of, const char* name) {
    const auto* value = member(of, name);
    return value && value->is_string() ? std::string(std::string_view(value->get_string())) : "";
}

bool truth_in(const boost::json::object& of, const char* name) {
    const auto* value = member(of, name);
    return value &&
           (value->is_bool() ? value->get_bool() : value->is_string() && value->get_string() == "true");
}

// Numbers stand in texts, too.
MaybeId number_in(const boost::json::value* value) {
    if (!value) return std::nullopt;
    if (value->is_int64()) return value->get_int64();
    if (!value->is_string()) return std::nullopt;
    const auto ids = ids_of({{std::string(std::string_view(value->get_string()))}});
    return ids.empty() ? std::nullopt : MaybeId(ids.front());
}

std::vector<Id> numbers_in(const boost::json::object& of, const char* name) {
    std::vector<Id> out;
    const auto* value = member(of, name);
    if (!value || !value->is_array()) return out;
    for (const auto& one : value->get_array())
        if (const auto id = number_in(&one)) out.push_back(*id);
    return out;
}

statuses::PollDraft poll_in(const boost::json::object& of) {
    statuses::PollDraft poll;
    if (const auto* options = member(of, "options"); options && options->is_array())
        for (const auto& option : options->get_array())
            if (option.is_string()) poll.options.emplace_back(std::string_view(option.get_string()));
    poll.expires_in = number_in(member(of, "expires_in"));
    poll.multiple = truth_in(of, "multiple");
    poll.hide_totals = truth_in(of, "hide_totals");
    return poll;
}

template <class Enum>
Enum named(const std::string& word, Enum otherwise) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Enum>>([&](auto e) {
        if (base::wire_name(e.name) == word) otherwise = e.value;
    });
    return otherwise;
}

// What an author did not say themselves when they wrote it.
struct Defaults {
    statuses::Visibility visibility = statuses::Visibility::private_;
    bool sensitive = false;
    MaybeText language;
};
using DefaultsOf = std::unordered_map<Id, Defaults>;

DefaultsOf defaults_of_authors(const Reading& r, Sink& sink) {
    using statuses::Visibility;
    DefaultsOf out;
    r.db.each<Account>(
        table<Account>(r.db, "accounts"),
        "WHERE x.id IN (SELECT account_id FROM scheduled_statuses)",
        {},
        [&](const Account& a) {
            out[a.id].visibility = a.locked ? Visibility::private_ : Visibility::public_;
        },
        r.refusing("account", sink)
    );
    r.db.each<User>(
        table<User>(r.db, "users"),
        "WHERE x.account_id IN (SELECT account_id FROM scheduled_statuses)",
        {},
        [&](const User& u) {
            UserRow chosen;
            choose(u, chosen);
            auto& defaults = out[u.account_id];
            if (chosen.default_privacy)
                defaults.visibility = named(*chosen.default_privacy, Visibility::private_);
            defaults.sensitive = chosen.default_sensitive;
            defaults.language = chosen.default_language;
        },
        r.refusing("user", sink)
    );
    return out;
}

// A number, as posts have it; what is no number is a word of the API.
statuses::QuotePolicy quotes_in(const boost::json::object& of, statuses::Visibility visibility) {
    const char* name = "quote_approval_policy";
    if (const auto packed = number_in(member(of, name))) return quote_policy_of(*packed, visibility);
    return named(text_in(of, name), statuses::QuotePolicy::nobody);
}

statuses::ScheduledParams params_of(
    const boost::json::object& given_params, const Defaults& defaults, std::vector<Id>& media
) {
    statuses::ScheduledParams out;
    out.text = text_in(given_params, "text");
    media = numbers_in(given_params, "media_ids");
    if (!media.empty()) {
        out.media_ids.emplace();
        for (const auto id : media) out.media_ids->push_back({id});
    }
    out.sensitive =
        member(given_params, "sensitive") ? truth_in(given_params, "sensitive") : defaults.sensitive;
    out.spoiler_text = given(text_in(given_params, "spoiler_text"));
    const auto visibility = text_in(given_params, "visibility");
    out.visibility =
        visibility.empty() ? defaults.visibility : named(visibility, statuses::Visibility::private_);
    out.quote_approval_policy = quotes_in(given_params, out.visibility);
    out.language = given(text_in(given_params, "language"));
    if (!out.language) out.language = defaults.language;
    out.in_reply_to_id = number_in(member(given_params, "in_reply_to_id"));
    if (const auto quoted = number_in(member(given_params, "quoted_status_id")))
        out.quoted_status_id = {{*quoted}};
    out.application_id = number_in(member(given_params, "application_id"));
    if (const auto* poll = member(given_params, "poll"); poll && poll->is_object())
        out.poll = poll_in(poll->get_object());
    return out;
}

}  // namespace

void copy_scheduled(const Reading& r, const std::string& position, Sink& sink) {
    const auto defaults = defaults_of_authors(r, sink);
    r.each<Scheduled>("scheduled post", "scheduled_statuses", position, sink, [&](const Scheduled& s) {
        if (!r.account(sink, s.account_id) || !s.scheduled_at) return;
        ScheduledRow row;
        row.id = s.id;
        row.account_id = s.account_id;
        row.scheduled_at = *s.scheduled_at;
        row.created_at = r.choice.now;
        row.content_type = "text/plain";
        try {
            const auto json = base::json::parse(s.params);
            const auto own = defaults.find(s.account_id);
            row.params = base::json::to_string(
                params_of(json.as_object(), own == defaults.end() ? Defaults{} : own->second, row.media)
            );
        } catch (const std::exception&) {
            return sink.refuse("scheduled post", std::to_string(s.id), "what it says cannot be read");
        }
        sink.put(std::move(row));
    });
}

namespace {

// With the status that each is about.
std::string notifications_since(Time oldest, bool quotes) {
    return std::string(
               R"((SELECT n.id, n.account_id, n.from_account_id, n.type, n.activity_type, n.activity_id, n.filtered,
                      n.group_key, n.created_at,
                      CASE n.activity_type WHEN 'Mention' THEN m.status_id WHEN 'Favourite' THEN f.status_id
                          WHEN 'Poll' THEN p.status_id WHEN 'Status' THEN COALESCE(s.reblog_of_id, s.id)
)"
           ) +
           (quotes ? "WHEN 'Quote' THEN q.status_id " : "") +
           R"(END AS status_id
               FROM notifications n
               LEFT JOIN mentions m ON n.activity_type = 'Mention' AND m.id = n.activity_id
               LEFT JOIN favourites f ON n.activity_type = 'Favourite' AND f.id = n.activity_id
               LEFT JOIN polls p ON n.activity_type = 'Poll' AND p.id = n.activity_id
               LEFT JOIN statuses s ON n.activity_type = 'Status' AND s.id = n.activity_id
               )" +
           (quotes ? "LEFT JOIN quotes q ON n.activity_type = 'Quote' AND q.id = n.activity_id " : "") +
           R"(WHERE n.created_at >= to_timestamp()" + std::to_string(oldest.ms / 1000) +
           ") AT TIME ZONE 'UTC') AS x";
}

// Those of before they had names.
std::string type_of(const Notification& n) {
    if (!n.type.empty()) return n.type;
    constexpr std::pair<const char*, const char*> words[] = {
        {"Mention", "mention"},
        {"Status", "reblog"},
        {"Follow", "follow"},
        {"FollowRequest", "follow_request"},
        {"Favourite", "favourite"},
        {"Poll", "poll"}
    };
    for (const auto& [activity, word] : words)
        if (n.activity_type == activity) return word;
    return "";
}

}  // namespace

void copy_notifications(const Reading& r, const std::string& position, Sink& sink) {
    using notifications::Type;
    const auto oldest = r.choice.now.plus_seconds(-r.choice.notification_days * 86'400);
    r.each_of<Notification>(
        "notification",
        notifications_since(oldest, r.has("quotes")),
        position,
        sink,
        [&](const Notification& n) {
            if (!r.account(sink, n.account_id) || !r.account(sink, n.from_account_id)) return;
            const auto type = notifications::type_named(type_of(n));
            // What these are about does not come along.
            if (!type || *type == Type::severed_relationships || *type == Type::annual_report ||
                *type == Type::added_to_collection || *type == Type::collection_update)
                return;
            NotificationRow row;
            row.id = n.id;
            row.account_id = n.account_id;
            row.from_account_id = n.from_account_id;
            row.type = base::word(*type);
            row.created_at = n.created_at;
            row.filtered = n.filtered;
            row.group_key = n.group_key;
            if (*type == Type::moderation_warning || *type == Type::admin_report)
                row.about_id = n.activity_id;
            if (n.status_id != 0) {
                if (!r.status(sink, n.status_id)) return;
                row.status_id = n.status_id;
            } else if (n.activity_type != "Follow" && n.activity_type != "FollowRequest" &&
                       n.activity_type != "Account" && row.about_id == 0)
                return;
            sink.put(std::move(row));
        }
    );
}

// How strict people are with strangers, whom they made exceptions for, and who waits to be let in.
void copy_notification_rules(const Reading& r, const std::string&, Sink& sink) {
    constexpr std::array words{"accept", "filter", "drop"};
    auto word = [&](std::int64_t number) {
        return number >= 0 && number < static_cast<std::int64_t>(words.size())
                   ? words[static_cast<std::size_t>(number)]
                   : words[0];
    };
    r.all<NotificationPolicy>(
        "notification policy",
        "notification_policies",
        sink,
        [&](const NotificationPolicy& p) {
            if (!r.account(sink, p.account_id)) return;
            sink.put(NotificationPolicyRow{
                p.account_id,
                word(p.for_not_following),
                word(p.for_not_followers),
                word(p.for_new_accounts),
                word(p.for_private_mentions),
                word(p.for_limited_accounts),
                word(p.for_bots)
            });
            sink.done("");
        }
    );
    r.all<NotificationPermission>(
        "notification permission",
        "notification_permissions",
        sink,
        [&](const NotificationPermission& p) {
            if (r.account(sink, p.account_id) && r.account(sink, p.from_account_id))
                sink.put(NotificationPermissionRow{p.account_id, p.from_account_id});
            sink.done("");
        }
    );
    r.all<NotificationRequest>(
        "notification request",
        "notification_requests",
        sink,
        [&](const NotificationRequest& n) {
            if (r.account(sink, n.account_id) && r.account(sink, n.from_account_id))
                sink.put(NotificationRequestRow{
                    n.id,
                    n.account_id,
                    n.from_account_id,
                    r.status(sink, n.last_status_id).value_or(0),
                    n.notifications_count,
                    n.created_at,
                    n.updated_at
                });
            sink.done("");
        }
    );
}

void copy_markers(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<Marker>(
        "marker",
        "(SELECT m.*, u.account_id FROM markers m JOIN users u ON u.id = m.user_id) AS x",
        position,
        sink,
        [&](const Marker& m) {
            if (r.account(sink, m.account_id) && (m.timeline == "home" || m.timeline == "notifications"))
                sink.put(MarkerRow{m.account_id, m.timeline, m.last_read_id, m.lock_version, m.updated_at});
        }
    );
}

}  // namespace takeover::mastodon
