// SPDX-License-Identifier: AGPL-3.0-or-later
// What rules ask of the database: as it was when the post was written, where that can be told from what is kept.
#include "base/text/utf8.hpp"
#include "social/instance/domain_block.hpp"
#include "social/rules/label.hpp"
#include "social/rules/program.hpp"

#include <algorithm>
#include <limits>

namespace rules {

// accounts and users belong to accounts.
struct AuthorRow {
    std::string username, domain, actor_type;
    Time created_at;
    bool limited = false, staff = false;
};
DESCRIBE(AuthorRow, username, domain, actor_type, created_at, limited, staff)
const db::Query<AuthorRow> judged_author{
    "judged_author",
    R"(SELECT username, domain, actor_type, created_at, silenced_at IS NOT NULL AS limited,
              EXISTS (SELECT 1 FROM users WHERE account_id = $1 AND role_id <> -99) AS staff
       FROM accounts WHERE id = $1)"
};
// statuses belongs to statuses; so does mentions.
const db::Query<std::int64_t> posts_before{
    "posts_before",
    R"(SELECT count(*) FROM (SELECT 1 AS x FROM statuses WHERE account_id = $1 AND id < $2 AND deleted_at IS NULL
                             ORDER BY id DESC LIMIT 100) p)"
};
const db::Query<std::int64_t> followers_of_this_site{
    "followers_of_this_site",
    R"(SELECT count(*) FROM (SELECT account_id FROM follows WHERE target_id = $1 ORDER BY id LIMIT 1000) f
       JOIN accounts a ON a.id = f.account_id WHERE a.domain = '')"
};
const db::Query<std::int64_t> strikes_that_hold{
    "strikes_that_hold",
    "SELECT count(*) FROM strikes WHERE account_id = $1 AND overruled_at IS NULL AND (automated = FALSE OR "
    "action NOT IN ('mark_statuses_as_sensitive', 'delete_statuses'))"
};
const db::Query<AccountId> people_of_this_site{
    "people_of_this_site", "SELECT id FROM accounts WHERE domain = '' AND id IN LIST($1) ORDER BY id"
};
// $1 the author, $2 somebody of this site, $3 the post, $4 when.
const db::Query<bool> had_to_do_with{
    "had_to_do_with",
    R"(SELECT EXISTS (SELECT 1 FROM follows WHERE account_id = $2 AND target_id = $1 AND created_at <= $4)
           OR EXISTS (SELECT 1 FROM (SELECT id FROM statuses WHERE account_id = $1 AND id < $3 AND deleted_at IS NULL
                                     ORDER BY id DESC LIMIT 40) latest
                      JOIN mentions m ON m.status_id = latest.id WHERE m.account_id = $2)
           OR EXISTS (SELECT 1 FROM (SELECT status_id FROM mentions WHERE account_id = $1 AND status_id < $3
                                     ORDER BY status_id DESC LIMIT 40) naming
                      JOIN statuses s ON s.id = naming.status_id WHERE s.account_id = $2))"
};
const db::Query<AccountId> first_account_of_server{
    "first_account_of_server",
    "SELECT id FROM accounts WHERE domain = $1 AND domain <> '' ORDER BY id LIMIT 1"
};
// list_rules belongs to instance, list_batches to moderation.
const db::Query<std::string> lists_with_server{
    "lists_with_server",
    R"(SELECT DISTINCT b.name FROM list_rules r JOIN list_batches b ON b.id = r.batch_id
       WHERE r.domain IN LIST($1) AND r.active = TRUE ORDER BY b.name)"
};

namespace {

constexpr std::int64_t day_ms = 86'400'000;

// Before everything that came after the post.
StatusId bound(const statuses::Candidate& post) {
    return post.id ? post.id : StatusId{std::numeric_limits<std::int64_t>::max()};
}

}  // namespace

const NormalizedText& Facts::reading() {
    if (!reading_) reading_ = read_html(post_->html);
    return *reading_;
}

const Window::Traces& Facts::note() {
    if (!traces_) window_->note(traces_.emplace(window_->traces(*post_, reading())));
    return *traces_;
}

Seen Facts::seen(Trace trace, std::int64_t minutes) {
    if (!window_) return Seen{1, 1, 1};
    if (!traces_) window_->compare(traces_.emplace(window_->traces(*post_, reading())));
    for (const auto& known : counted_)
        if (known.trace == trace && known.minutes == minutes) return known.seen;
    return counted_.emplace_back(trace, minutes, window_->seen(*traces_, trace, minutes)).seen;
}

const Facts::Author& Facts::author() {
    if (author_) return *author_;
    Author out;
    if (auto row = db_->maybe(judged_author, post_->author)) {
        out.handle = row->domain.empty() ? row->username : row->username + "@" + row->domain;
        out.handle = base::text::ascii_lowered(out.handle);
        out.domain = row->domain.substr(0, row->domain.find(':'));
        out.created_at = row->created_at;
        out.bot = row->actor_type == "Service" || row->actor_type == "Application";
        out.limited = row->limited;
        out.staff = row->staff && row->domain.empty();
    }
    return author_.emplace(std::move(out));
}

std::int64_t Facts::age_days() {
    return std::max<std::int64_t>((post_->at.ms - author().created_at.ms) / day_ms, 0);
}

std::int64_t Facts::posts() {
    if (!posts_) posts_ = db_->one(posts_before, post_->author, bound(*post_));
    return *posts_;
}

std::int64_t Facts::followers_here() {
    if (!followers_) followers_ = db_->one(followers_of_this_site, post_->author);
    return *followers_;
}

std::int64_t Facts::strikes() {
    if (!strikes_) strikes_ = db_->one(strikes_that_hold, post_->author);
    return *strikes_;
}

const std::vector<std::string>& Facts::labels() {
    if (!labels_) labels_ = labels_of(*db_, post_->author);
    return *labels_;
}

const std::vector<std::string>& Facts::server_labels() {
    if (!server_labels_) server_labels_ = labels_of_server(*db_, author().domain);
    return *server_labels_;
}

const std::vector<AccountId>& Facts::local_people() {
    if (local_) return *local_;
    std::vector<AccountId> named(post_->mentions.begin(), post_->mentions.end());
    std::erase(named, post_->author);
    if (named.empty()) return local_.emplace();
    return local_.emplace(db_->all(people_of_this_site, named));
}

bool Facts::is_local(AccountId id) { return !db_->all(people_of_this_site, std::vector{id}).empty(); }

bool Facts::is_stranger(AccountId id) {
    return !db_->one(had_to_do_with, post_->author, id, bound(*post_), post_->at);
}

std::int64_t Facts::local_mentions() { return std::ssize(local_people()); }

std::int64_t Facts::strangers() {
    constexpr std::size_t most = 20;  // are looked at
    if (strangers_) return *strangers_;
    std::int64_t found = 0;
    const auto& people = local_people();
    for (std::size_t i = 0; i < std::min(people.size(), most); ++i) found += is_stranger(people[i]);
    return strangers_.emplace(found);
}

bool Facts::answers_stranger() {
    if (answers_stranger_) return *answers_stranger_;
    auto answered = post_->reply && post_->answered ? post_->answered(*db_) : AccountId{};
    bool other = answered && answered != post_->author;
    return answers_stranger_.emplace(other && is_local(answered) && is_stranger(answered));
}

std::int64_t Facts::server_known_days() {
    if (known_days_) return *known_days_;
    auto row = db_->maybe(judged_author, post_->author);
    auto first =
        row && !row->domain.empty() ? db_->maybe(first_account_of_server, row->domain) : std::nullopt;
    // Ids begin with the time of their making.
    auto since = first ? first->value >> 16 : 0;
    return known_days_.emplace(std::max<std::int64_t>((post_->at.ms - since) / day_ms, 0));
}

const std::vector<std::string>& Facts::server_lists() {
    if (lists_) return *lists_;
    if (author().domain.empty()) return lists_.emplace();
    return lists_.emplace(db_->all(lists_with_server, instance::domains_upwards(author().domain)));
}

bool Facts::passes() {
    if (passes_) return *passes_;
    const auto& who = author();
    bool local = who.domain.empty();
    return passes_.emplace(
        local &&
        (who.staff || (age_days() >= trusted_after_days && posts() >= trusted_after_posts && strikes() == 0))
    );
}

}  // namespace rules
