// SPDX-License-Identifier: AGPL-3.0-or-later
// What belongs to the server: its texts, rules about others, its own rules, its key for push messages, reports.
#include "base/json.hpp"
#include "takeover/gotosocial/reading.hpp"
#include "takeover/staff_rows.hpp"

namespace takeover::gotosocial {

std::optional<Instance> own_instance(
    db::Foreign& db, const std::string& account, const db::Foreign::Refuse& refuse
) {
    std::optional<Instance> out;
    db.each<Instance>(
        R"((SELECT i.id, i.updated_at, i.title, i.short_description_text, i.description_text, i.terms_text,
                   i.contact_email, c.username AS contact_account
            FROM instances i JOIN accounts a ON a.username = i.domain
            LEFT JOIN accounts c ON c.id = i.contact_account_id WHERE a.id = $1) AS x)",
        "",
        {account},
        [&](Instance one) { out = std::move(one); },
        refuse
    );
    return out;
}

namespace {

// Markdown, as here. When they were written is not known, but not after this.
void put_texts(const Reading& r, Sink& sink) {
    const auto own = own_instance(r.db, r.instance, r.refusing("texts of the site", sink));
    if (!own) return;
    const auto written = std::min(own->updated_at, r.choice.now);
    if (!own->description_text.empty()) {
        sink.put(SettingRow{"text_extended_description", own->description_text});
        sink.put(SettingRow{"text_extended_description_at", std::to_string(written.ms)});
    }
    if (!own->terms_text.empty())
        sink.put(TermsRow{
            sink.numbers.give("terms", own->id, written),
            own->terms_text,
            "",
            base::to_string(base::Date{written.midnight().ms}),
            written,
            written
        });
}

void put_push_keys(const Reading& r, Sink& sink) {
    r.db.each<Vapid>(
        "vapid_key_pairs",
        "",
        {},
        [&](const Vapid& v) { put_push_key(v.id, v.public_, v.private_, sink); },
        r.refusing("push key", sink)
    );
}

void put_domain_blocks(const Reading& r, Sink& sink) {
    r.db.each<DomainBlock>(
        "domain_blocks",
        "ORDER BY id",
        {},
        [&](const DomainBlock& b) {
            if (!is_domain(b.domain)) return sink.refuse("domain block", b.id, "it names no domain");
            ServerRuleRow row;
            row.id = sink.numbers.give("domain_block", b.id, b.created_at);
            row.domain = b.domain;
            row.severity = "suspend";
            row.obfuscate = b.obfuscate;
            row.private_comment = b.private_comment;
            row.public_comment = b.public_comment;
            row.created_at = b.created_at;
            sink.put(std::move(row));
        },
        r.refusing("domain block", sink)
    );
}

void put_allowed_domains(const Reading& r, Sink& sink) {
    r.db.each<Domain>(
        "domain_allows",
        "ORDER BY id",
        {},
        [&](const Domain& d) {
            if (is_domain(d.domain))
                sink.put(AllowedServerRow{
                    sink.numbers.give("domain_allow", d.id, d.created_at), d.domain, d.created_at
                });
        },
        r.refusing("domain allow", sink)
    );
}

void put_email_domains(const Reading& r, Sink& sink) {
    r.db.each<Domain>(
        "email_domain_blocks",
        "ORDER BY id",
        {},
        [&](const Domain& d) {
            if (is_domain(d.domain))
                sink.put(EmailDomainRow{
                    sink.numbers.give("email_domain_block", d.id, d.created_at), d.domain, false, d.created_at
                });
        },
        r.refusing("email domain block", sink)
    );
}

void put_rules(const Reading& r, Sink& sink) {
    r.db.each<Rule>(
        "rules",
        "ORDER BY id",
        {},
        [&](const Rule& rule) {
            const auto id = sink.numbers.give(
                "rule", rule.id, std::min(time_of_ulid(rule.id).value_or(r.choice.now), r.choice.now)
            );
            sink.put(RuleRow{
                id, rule.order, rule.text, "", rule.deleted ? std::optional(r.choice.now) : std::nullopt
            });
        },
        r.refusing("rule", sink)
    );
}

}  // namespace

// Few rows: at once, and again if it was cut off.
void copy_site(const Reading& r, const std::string&, Sink& sink) {
    put_texts(r, sink);
    put_push_keys(r, sink);
    put_domain_blocks(r, sink);
    put_allowed_domains(r, sink);
    put_email_domains(r, sink);
    put_rules(r, sink);
}

void copy_reports(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Report>("report", "reports", position, sink, [&](const Report& p) {
        const auto from = r.account(sink, p.account_id), about = r.account(sink, p.target_account_id);
        if (!from || !about) return sink.refuse("report", p.id, "one of the two did not come along");
        ReportRow row;
        row.id = sink.numbers.give("report", p.id, p.created_at);
        row.account_id = *from;
        row.target_id = *about;
        row.comment = p.comment;
        std::vector<base::StatusId> shown;
        for (const auto& status : p.statuses.items)
            if (const auto id = r.status(sink, status)) {
                row.statuses.push_back(*id);
                shown.push_back({*id});
            }
        row.status_ids = base::json::to_string(shown);
        std::vector<base::RuleId> rules;
        for (const auto& rule : p.rules.items)
            if (const auto id = sink.numbers.find("rule", rule)) rules.push_back({*id});
        if (!rules.empty()) {
            row.category = "violation";
            row.rule_ids = base::json::to_string(rules);
        }
        row.forwarded = p.forwarded;
        row.action_taken_at = p.action_taken_at;
        row.action_taken_by = r.account(sink, p.action_taken_by_account_id);
        row.created_at = p.created_at;
        row.updated_at = p.updated_at;
        sink.put(std::move(row));
    });
}

}  // namespace takeover::gotosocial
