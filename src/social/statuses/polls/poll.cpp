// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/polls/poll.hpp"

#include "base/text/blank.hpp"
#include "base/text/count.hpp"

#include <algorithm>

namespace statuses {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw base::Invalid("Validation failed: Poll " + what); }

void check_options(const base::Site& site, const std::vector<std::string>& options) {
    auto most = static_cast<std::size_t>(site.max_poll_options);
    if (options.size() < 2) refuse("options must have more than one item");
    if (options.size() > most) refuse("options can't contain more than " + std::to_string(most) + " items");
    for (const auto& title : options)
        if (base::text::graphemes(title) > poll_option_characters)
            refuse(
                "options cannot be longer than " + std::to_string(poll_option_characters) + " characters each"
            );
    auto sorted = options;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end()) refuse("options contain duplicate items");
}

}  // namespace

PollDraft checked(const base::Site& site, PollDraft draft) {
    std::erase_if(draft.options, base::text::is_blank);
    for (auto& title : draft.options) title = std::string(base::text::trimmed(title));
    check_options(site, draft.options);
    if (!draft.expires_in || *draft.expires_in > poll_longest_seconds)
        refuse("expires at is too far into the future");
    if (*draft.expires_in < poll_shortest_seconds) refuse("expires at is too soon");
    return draft;
}

namespace {

struct Row {
    StatusId status_id;
    AccountId account_id;
    bool multiple = false, hide_totals = false;
    std::optional<Time> expires_at;
    std::optional<std::int64_t> voters_count;
    std::string title;
    std::int64_t votes_count = 0;
};
DESCRIBE(Row, status_id, account_id, multiple, hide_totals, expires_at, voters_count, title, votes_count)

}  // namespace

const db::Query<Row> rows_of_polls{
    "rows_of_polls",
    R"(SELECT p.status_id, p.account_id, p.multiple, p.hide_totals, p.expires_at, p.voters_count, o.title, o.votes_count
       FROM polls p JOIN poll_options o ON o.status_id = p.status_id
       WHERE p.status_id IN LIST($1) ORDER BY p.status_id, o.position)"
};

std::vector<Poll> polls(db::Read& db, const std::vector<StatusId>& ids) {
    std::vector<Poll> out;
    auto add = [&](Row row) {
        if (out.empty() || out.back().id != row.status_id)
            out.push_back(
                {row.status_id,
                 row.account_id,
                 row.multiple,
                 row.hide_totals,
                 row.expires_at,
                 row.voters_count,
                 {}}
            );
        out.back().options.push_back({std::move(row.title), row.votes_count});
    };
    if (!ids.empty()) db.each(rows_of_polls, add, ids);
    return out;
}

std::optional<Poll> find_poll(db::Read& db, StatusId id) {
    auto found = polls(db, {id});
    if (found.empty()) return std::nullopt;
    return std::move(found[0]);
}

const db::Command insert_poll{
    "insert_poll",
    R"(INSERT INTO polls (status_id, account_id, multiple, hide_totals, expires_at, voters_count)
       VALUES ($1, $2, $3, $4, $5, 0))"
};
const db::Command insert_poll_option{
    "insert_poll_option", "INSERT INTO poll_options (status_id, position, title) VALUES ($1, $2, $3)"
};

Time end_of(const db::Read& db, const PollDraft& draft) {
    return db.now().plus_seconds(draft.expires_in.value_or(0));
}

void add_poll(db::Write& db, StatusId status, AccountId author, const PollDraft& draft) {
    db.run(insert_poll, status, author, draft.multiple, draft.hide_totals, end_of(db, draft));
    for (int position = 0; const auto& title : draft.options)
        db.run(insert_poll_option, status, position++, title);
}

namespace {

// Votes are for what was asked: they end when the question becomes another.
bool asks_the_same(const Poll& poll, const PollDraft& draft) {
    return poll.multiple == draft.multiple &&
           std::ranges::equal(poll.options, draft.options, {}, &PollOption::title);
}

}  // namespace

// When it ends is counted from the moment of the edit, so it always differs, and is no change that is recorded.
bool differs(const std::optional<Poll>& poll, const std::optional<PollDraft>& draft) {
    if (!poll || !draft) return poll.has_value() != draft.has_value();
    return !asks_the_same(*poll, *draft) || poll->hide_totals != draft->hide_totals;
}

const db::Command update_poll{
    "update_poll",
    "UPDATE polls SET hide_totals = $2, expires_at = $3, ended = ended AND expires_at = $3 WHERE status_id = "
    "$1"
};
const db::Command delete_poll{"delete_poll", "DELETE FROM polls WHERE status_id = $1"};
const db::Command delete_poll_options{"delete_poll_options", "DELETE FROM poll_options WHERE status_id = $1"};
const db::Command delete_poll_votes{"delete_poll_votes", "DELETE FROM poll_votes WHERE status_id = $1"};

void drop_poll(db::Write& db, StatusId status) {
    db.run(delete_poll, status);
    db.run(delete_poll_options, status);
    db.run(delete_poll_votes, status);
}

void replace_poll(db::Write& db, StatusId status, AccountId author, const std::optional<PollDraft>& draft) {
    auto poll = find_poll(db, status);
    if (poll && draft && asks_the_same(*poll, *draft)) {
        // Whatever else of its post is edited: what is over stays over.
        const bool over = poll->expired(db.now());
        db.run(
            update_poll,
            status,
            draft->hide_totals,
            over ? poll->expires_at : std::optional(end_of(db, *draft))
        );
        return;
    }
    if (poll) drop_poll(db, status);
    if (draft) add_poll(db, status, author, *draft);
}

}  // namespace statuses
