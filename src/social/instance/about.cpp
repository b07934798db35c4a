// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/about.hpp"

#include "base/text/html/html.hpp"
#include "social/instance/settings.hpp"

namespace instance {

namespace {

using TermsId = base::Id<struct TermsTag>;

constexpr const char* default_policy =
    R"(This server keeps what you give it: the name, address and password of your account, your profile, your posts and media, whom you follow, block or mute, and what you favourite, boost or bookmark. It also keeps the address you last used it from and the apps you signed in with.

Posts go to those they are addressed to, which may mean other servers that follow rules of their own. The people who run this server can read what is stored on it, direct posts included: write nothing here that has to stay secret.

None of it is sold or used for advertising. You can correct your profile, and delete your posts and your account, at any time. The people who run this server have not written a policy of their own yet; ask them when you want to know more.)";

// The date of the last change of the text above: 2026-11-01.
constexpr base::WholeSeconds default_policy_time{1'793'491'200'000};

std::string html(const std::string& markdown) { return base::text::markdown_html(markdown, {}); }

std::string name_of(Text text) { return "text_" + std::string(base::word(text)); }

struct TermsRow {
    std::string text, effective_date;
    std::optional<std::string> succeeded_by;
};
DESCRIBE(TermsRow, text, effective_date, succeeded_by)

std::string today(db::Read& db) { return base::to_string(base::Date{db.now().midnight().ms}); }

std::optional<TermsOfService> entity(db::Read& db, const std::optional<TermsRow>& row) {
    if (!row) return std::nullopt;
    return TermsOfService{
        row->effective_date, row->effective_date <= today(db), html(row->text), row->succeeded_by
    };
}

}  // namespace

void set_text(db::Write& db, Text text, const std::string& markdown) {
    set_setting(db, name_of(text), markdown);
    set_setting(db, name_of(text) + "_at", std::to_string(db.now().ms));
}

std::string text(db::Read& db, Text which) { return setting(db, name_of(which)).value_or(""); }

namespace {

std::optional<base::WholeSeconds> written_at(db::Read& db, Text text) {
    auto at = setting(db, name_of(text) + "_at");
    if (!at) return std::nullopt;
    return base::WholeSeconds{std::stoll(*at)};
}

}  // namespace

ExtendedDescription extended_description(db::Read& db) {
    return {written_at(db, Text::extended_description), html(text(db, Text::extended_description))};
}

PrivacyPolicy privacy_policy(db::Read& db) {
    auto written = text(db, Text::privacy_policy);
    if (written.empty()) return {default_policy_time, html(default_policy)};
    return {written_at(db, Text::privacy_policy).value_or(default_policy_time), html(written)};
}

const db::Command insert_terms{
    "insert_terms",
    R"(INSERT INTO terms_of_service (id, text, effective_date, published_at, created_at)
       VALUES ($1, $2, $3, $4, $4))"
};

void publish_terms(db::Write& db, const std::string& markdown, base::Date effective) {
    db.run(insert_terms, db.new_id<TermsId>(), markdown, base::to_string(effective), db.now());
}

#define TERMS_ROWS                                                                               \
    "SELECT t.text, t.effective_date, (SELECT min(n.effective_date) FROM terms_of_service n "    \
    "WHERE n.effective_date > t.effective_date AND n.published_at IS NOT NULL) AS succeeded_by " \
    "FROM terms_of_service t WHERE t.published_at IS NOT NULL "

const db::Query<TermsRow> terms_in_force{
    "terms_in_force",
    TERMS_ROWS "AND t.effective_date <= $1 ORDER BY t.effective_date DESC, t.id DESC LIMIT 1"
};
const db::Query<TermsRow> terms_to_come{
    "terms_to_come", TERMS_ROWS "ORDER BY t.effective_date, t.id DESC LIMIT 1"
};
const db::Query<TermsRow> terms_of_date{
    "terms_of_date", TERMS_ROWS "AND t.effective_date = $1 ORDER BY t.id DESC LIMIT 1"
};

std::string terms_text(db::Read& db) {
    auto row = db.maybe(terms_in_force, today(db));
    if (!row) row = db.maybe(terms_to_come);
    return row ? row->text : "";
}

std::optional<TermsOfService> terms_of_service(db::Read& db) {
    if (auto now = db.maybe(terms_in_force, today(db))) return entity(db, now);
    return entity(db, db.maybe(terms_to_come));
}

std::optional<TermsOfService> terms_of_service(db::Read& db, const std::string& date) {
    return entity(db, db.maybe(terms_of_date, date));
}

}  // namespace instance
