// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/remote/remote_parts.hpp"

#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "base/text/languages.hpp"
#include "base/text/utf8.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/remote_file.hpp"
#include "social/statuses/core/kinds.hpp"
#include "social/statuses/quotes/quote.hpp"

#include <algorithm>

namespace statuses {

namespace {

constexpr std::size_t longest_html = 256 * 1024, longest_warning = 20'000, longest_title = 2048;
constexpr std::size_t most_media = 4, most_links = 40;
constexpr std::int64_t largest_count = std::int64_t{1} << 50;

NamedTags tags_of(const RemoteStatus& status) {
    NamedTags out;
    for (std::string_view written : status.tags) {
        if (out.size() == most_remote_tags) break;
        if (written.starts_with('#')) written.remove_prefix(1);
        constexpr std::size_t longest = 140;
        auto name = base::text::normalise_hashtag(written.substr(0, 4 * longest));
        if (!base::text::valid_hashtag(name)) continue;
        if (std::ranges::find(out, name, &NamedTags::value_type::first) == out.end())
            out.emplace_back(std::move(name), base::text::clean_utf8(written.substr(0, 4 * longest)));
    }
    return out;
}

std::string link_to(const std::string& url) {
    auto shown = base::text::escape(url);
    return "<p><a href=\"" + shown + "\" rel=\"nofollow noopener\" target=\"_blank\">" + shown + "</a></p>";
}

}  // namespace

// What the sanitiser makes of a broken end is whole again.
RemoteHtml::RemoteHtml(std::string_view written)
    : harmless_(base::text::sanitize(base::text::clean_utf8(written.substr(0, longest_html)))) {}

RemoteHtml RemoteHtml::sanitized(std::string html) {
    if (html.size() > longest_html) return RemoteHtml(html);
    RemoteHtml out;
    out.harmless_ = std::move(html);
    return out;
}

RemoteText text_of(db::Read& db, const RemoteStatus& status, const std::string& domain) {
    RemoteText out;
    out.html = status.html.harmless();
    out.spoiler_text = base::text::clean_utf8(status.spoiler_text.substr(0, longest_warning));
    if (status.language)
        if (auto known = base::text::find_language(*status.language)) out.language = std::string(*known);
    out.tags = tags_of(status);
    bool pictures = status.media.empty() || !instance::limit_on(db, domain).reject_media;
    std::size_t links = 0;
    for (const auto& m : status.media) {
        if (!instance::is_elsewhere(m.url)) continue;
        if (pictures && out.media.size() < most_media) out.media.push_back(m);
        else if (links++ < most_links) out.html += link_to(base::text::clean_utf8(m.url));
    }
    return out;
}

std::vector<AccountId> tagged(const RemoteStatus& status) {
    std::vector<AccountId> out;
    for (const auto& m : status.mentions) {
        if (out.size() == most_remote_mentions) break;
        if (m.silent || m.account == status.author) continue;
        if (std::ranges::find(out, m.account) == out.end()) out.push_back(m.account);
    }
    return out;
}

void put_silent_mentions(db::Write& db, StatusId id, const RemoteStatus& status) {
    constexpr std::size_t most = 200;
    std::size_t count = 0;
    for (const auto& m : status.mentions)
        if (m.silent && m.account != status.author && count++ < most)
            db.run(insert_silent_mention, id, m.account);
}

std::int64_t remote_relations(const RemoteStatus& status, const RemoteText& text, bool media, bool quote) {
    std::int64_t bits = 0;
    if (!tagged(status).empty()) bits |= has_mentions;
    if (!text.tags.empty()) bits |= has_tags;
    if (media) bits |= has_media;
    if (usable(status.poll)) bits |= has_poll;
    if (quote) bits |= has_quote;
    return bits;
}

// ---- polls ----

namespace {

// Each title once: votes go by title.
std::vector<PollOption> options_of(const RemotePoll& poll) {
    std::vector<PollOption> out;
    for (const auto& option : poll.options) {
        if (out.size() == most_remote_options) break;
        auto title = base::text::clean_utf8(option.title.substr(0, longest_title));
        if (std::ranges::find(out, title, &PollOption::title) == out.end())
            out.push_back({std::move(title), std::clamp<std::int64_t>(option.votes_count, 0, largest_count)});
    }
    return out;
}

std::optional<std::int64_t> voters_of(const RemotePoll& poll) {
    if (!poll.voters_count || *poll.voters_count < 0) return std::nullopt;
    return std::min(*poll.voters_count, largest_count);
}

}  // namespace

bool usable(const std::optional<RemotePoll>& poll) { return poll && options_of(*poll).size() >= 2; }

const db::Command insert_remote_poll{
    "insert_remote_poll",
    R"(INSERT INTO polls (status_id, account_id, multiple, expires_at, voters_count, ended)
       VALUES ($1, $2, $3, $4, $5, $6))"
};
const db::Command insert_remote_option{
    "insert_remote_option",
    "INSERT INTO poll_options (status_id, position, title, votes_count) VALUES ($1, $2, $3, $4)"
};

void add_remote_poll(db::Write& db, StatusId status, AccountId author, const RemotePoll& poll) {
    bool over = poll.expires_at && *poll.expires_at <= db.now();
    db.run(insert_remote_poll, status, author, poll.multiple, poll.expires_at, voters_of(poll), over);
    for (int position = 0; const auto& option : options_of(poll))
        db.run(insert_remote_option, status, position++, option.title, option.votes_count);
}

bool asks_the_same(const Poll& known, const RemotePoll& poll) {
    return known.multiple == poll.multiple &&
           std::ranges::equal(known.options, options_of(poll), {}, &PollOption::title, &PollOption::title);
}

const db::Command update_remote_poll{
    "update_remote_poll", "UPDATE polls SET expires_at = $2, voters_count = $3 WHERE status_id = $1"
};
const db::Command update_remote_option{
    "update_remote_option", "UPDATE poll_options SET votes_count = $3 WHERE status_id = $1 AND position = $2"
};

void update_tallies(db::Write& db, StatusId status, const RemotePoll& poll) {
    db.run(update_remote_poll, status, poll.expires_at, voters_of(poll));
    for (int position = 0; const auto& option : options_of(poll))
        db.run(update_remote_option, status, position++, option.votes_count);
}

}  // namespace statuses
