// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/notices/notice.hpp"

#include "base/crypto.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/accounts/users/canonical_block.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/accounts/users/user.hpp"
#include "social/discovery/search.hpp"
#include "social/instance/settings.hpp"
#include "social/statuses/remote/remote.hpp"

#include <algorithm>
#include <charconv>

namespace moderation {

namespace {

constexpr std::int64_t day = 86'400;
constexpr std::size_t longest_name = 100;
// Half a year is how long a decision may be complained about.
constexpr std::int64_t kept_after_decision = 183 * day;
// Of receipts, and of decisions: whoever types a stranger's address again and again does not fill the stranger's mailbox.
constexpr std::int64_t most_mails_a_day = 3;
// What cannot be told for so long is not told.
constexpr std::int64_t longest_to_tell = 7 * day;

struct Meant {
    AccountId account;
    StatusId status;
};

// "@ann@elsewhere.example/123" below the address of this server, or a handle alone.
Meant by_handle(db::Read& db, std::string_view text) {
    while (text.starts_with('@')) text.remove_prefix(1);
    auto account = accounts::find_by_acct(db, text.substr(0, text.find('/')));
    if (!account) return {};
    if (text.find('/') == text.npos) return {account->id, {}};
    auto number = text.substr(text.find('/') + 1);
    StatusId status;
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), status.value);
    if (error != std::errc() || end != number.data() + number.size()) return {};
    return {account->id, status};
}

Meant meant_by(db::Read& db, std::string_view address) {
    address = base::text::trimmed(address);
    if (address.empty()) return {};  // as the URIs of all that is ours are
    if (auto found = discovery::resolve_local(db, address); found.account || found.status)
        return {found.account, found.status};
    auto bare = address.substr(0, address.find_first_of("?#"));
    if (auto status = statuses::find_by_uri(db, bare)) return {{}, *status};
    if (auto account = accounts::find_by_uri(db, bare)) return {*account, {}};
    if (bare.starts_with(db.site().public_url + "/@")) bare.remove_prefix(db.site().public_url.size() + 1);
    return bare.starts_with('@') ? by_handle(db, bare) : Meant{};
}

// What everybody may see; whose it is.
Meant public_thing(db::Read& db, std::string_view address) {
    auto meant = meant_by(db, address);
    if (meant.status) {
        auto nobody = statuses::nobody(db);
        auto facts = statuses::visibility_facts(db, nobody, {meant.status});
        if (facts.empty() || !statuses::visible(facts[0], nobody)) throw base::NotFound();
        // Of a boost, what was boosted.
        return {facts[0].original_account_id, facts[0].original_id};
    }
    if (!meant.account) throw base::NotFound();
    return meant;
}

// What was reported as this server shows it; nothing of what was typed goes into a mail.
std::string shown_address(db::Read& db, const Meant& meant) {
    auto acct = accounts::account(db, meant.account).acct();
    auto address = db.site().public_url + "/@" + acct;
    return meant.status ? address + "/" + std::to_string(meant.status.value) : address;
}

std::string keyed(db::Read& db, std::string_view network) {
    auto hash = base::hmac_sha256(instance::unsubscribe_key(db), "notices:" + std::string(network));
    return base::base64url(hash);
}

}  // namespace

const db::Query<std::int64_t> notices_of_network{
    "notices_of_network",
    "SELECT count(*) FROM (SELECT 1 FROM notices WHERE network = $1 AND network <> '' AND created_at > $2 "
    "LIMIT $3) x"
};
const db::Query<std::int64_t> notices_of_all{
    "notices_of_all", "SELECT count(*) FROM (SELECT 1 FROM notices WHERE created_at > $1 LIMIT $2) x"
};
const db::Query<std::int64_t> notices_of_email{
    "notices_of_email",
    "SELECT count(*) FROM (SELECT 1 FROM notices WHERE email_hash = $1 AND email_hash <> '' AND created_at > "
    "$2 "
    "LIMIT $3) x"
};
const db::Command insert_notice{
    "insert_notice",
    R"(INSERT INTO notices (report_id, name, email, email_hash, locale, address, network, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};

HandedIn notify_of(db::Write& db, const NoticeForm& form, std::string_view network) {
    const auto yesterday = db.now().plus_seconds(-day);
    const auto from = keyed(db, network);
    if (db.one(notices_of_network, from, yesterday, most_notices_of_network) >= most_notices_of_network ||
        db.one(notices_of_all, yesterday, most_notices_of_all) >= most_notices_of_all)
        throw base::TooMany();
    if (base::text::is_blank(form.comment))
        throw base::Invalid(std::vector<base::FieldError>{{"comment", "ERR_BLANK", "can't be blank"}});
    if (base::text::graphemes(form.name) > longest_name)
        throw base::Invalid(
            std::vector<base::FieldError>{{"name", "ERR_TOO_LONG", "is too long (maximum is 100 characters)"}}
        );
    std::string email;
    if (!base::text::is_blank(form.email)) {
        if (auto errors = accounts::email_form_errors(form.email); !errors.empty())
            throw base::Invalid(std::move(errors));
        email = accounts::normal_email(form.email);
    }
    const auto meant = public_thing(db, form.address);
    Complaint complaint{meant.account, form.category, form.comment};
    if (meant.status) complaint.statuses = {meant.status};
    complaint.rules = form.rules;
    // Whoever blocks it is reported all the same.
    auto reporter = statuses::audience(db, stranger_reporter(db));
    reporter.relations = std::make_shared<const relationships::Relationships>();
    auto id = report(db, reporter, complaint);
    const auto hash = email.empty() ? std::string() : accounts::canonical_email_hash(email);
    const bool told =
        !email.empty() && db.one(notices_of_email, hash, yesterday, most_mails_a_day) < most_mails_a_day;
    auto name = std::string(base::text::trimmed(form.name));
    db.run(insert_notice, id, name, email, hash, form.locale, shown_address(db, meant), from, db.now());
    if (told) db.emit(NoticeReceived{id});
    return {id, told};
}

const db::Query<Notice> notice_of_report{
    "notice_of_report",
    R"(SELECT report_id, name, email, locale, address, created_at, decided_at, tell_at
       FROM notices WHERE report_id = $1)"
};

std::optional<Notice> find_notice(db::Read& db, ReportId id) { return db.maybe(notice_of_report, id); }

namespace {

struct Decided {
    ReportId report_id;
    std::string email_hash;
};
DESCRIBE(Decided, report_id, email_hash)

}  // namespace

const db::Query<Decided> decide_notices_of{
    "decide_notices_of",
    R"(UPDATE notices SET decided_at = $2 WHERE report_id IN LIST($1) AND decided_at IS NULL
       RETURNING report_id, email_hash)"
};
const db::Query<Time> notices_told_to{
    "notices_told_to",
    "SELECT tell_at FROM notices WHERE email_hash = $1 AND tell_at IS NOT NULL ORDER BY tell_at DESC LIMIT $2"
};
const db::Command tell_of_decision{
    "tell_of_decision", "UPDATE notices SET tell_at = $2 WHERE report_id = $1"
};

void decide_notices(db::Write& db, const std::vector<ReportId>& reports) {
    auto decided = db.all(decide_notices_of, reports, db.now());
    std::ranges::sort(decided, {}, &Decided::report_id);
    for (const auto& one : decided) {
        if (one.email_hash.empty()) continue;
        auto at = db.now();
        auto before = db.all(notices_told_to, one.email_hash, most_mails_a_day);
        if (std::ssize(before) == most_mails_a_day) at = std::max(at, before.back().plus_seconds(day));
        if (at > db.now().plus_seconds(longest_to_tell)) continue;
        db.run(tell_of_decision, one.report_id, at);
        db.emit(NoticeDecided{one.report_id});
    }
}

const db::Command purge_decided_notices{
    "purge_decided_notices",
    R"(DELETE FROM notices WHERE report_id IN (
           SELECT report_id FROM notices WHERE decided_at < $1 ORDER BY decided_at LIMIT 500))"
};
const db::Command purge_networks_of_notices{
    "purge_networks_of_notices",
    R"(UPDATE notices SET network = '' WHERE report_id IN (
           SELECT report_id FROM notices WHERE network <> '' AND created_at < $1 ORDER BY created_at LIMIT 500))"
};

void purge_notices(db::Write& db) {
    db.run(purge_decided_notices, db.now().plus_seconds(-kept_after_decision));
    db.run(purge_networks_of_notices, db.now().plus_seconds(-day));
}

}  // namespace moderation
