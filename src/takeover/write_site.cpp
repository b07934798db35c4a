// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/rows.hpp"

namespace takeover {

const db::Command take_server_rule{
    "take_server_rule",
    R"(INSERT INTO domain_blocks (id, domain, severity, reject_media, reject_reports, obfuscate, private_comment,
           public_comment, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const ServerRuleRow& r) {
    db.run(
        take_server_rule,
        r.id,
        r.domain,
        r.severity,
        r.reject_media,
        r.reject_reports,
        r.obfuscate,
        r.private_comment,
        r.public_comment,
        r.created_at
    );
}

const db::Command take_allowed_server{
    "take_allowed_server",
    "INSERT INTO domain_allows (id, domain, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const AllowedServerRow& a) {
    db.run(take_allowed_server, a.id, a.domain, a.created_at);
}

const db::Command take_email_domain{
    "take_email_domain",
    R"(INSERT INTO email_domain_blocks (id, domain, allow_with_approval, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const EmailDomainRow& e) {
    db.run(take_email_domain, e.id, e.domain, e.allow_with_approval, e.created_at);
}

const db::Command take_rule{
    "take_rule",
    "INSERT INTO rules (id, position, text, hint, deleted_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO "
    "NOTHING"
};
void write(db::Write& db, const RuleRow& r) {
    db.run(take_rule, r.id, r.position, r.text, r.hint, r.deleted_at);
}

const db::Command take_tombstone{
    "take_tombstone",
    "INSERT INTO tombstones (uri, account_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const TombstoneRow& t) {
    db.run(take_tombstone, t.uri, t.account_id, t.created_at);
}

const db::Command take_report{
    "take_report",
    R"(INSERT INTO reports (id, account_id, target_id, category, comment, status_ids, rule_ids, forwarded,
           action_taken_at, action_taken_by_id, created_at, updated_at, assigned_account_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING)"
};
const db::Command take_report_status{
    "take_report_status",
    "INSERT INTO report_statuses (report_id, status_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const ReportRow& r) {
    db.run(
        take_report,
        r.id,
        r.account_id,
        r.target_id,
        r.category,
        r.comment,
        r.status_ids,
        r.rule_ids,
        r.forwarded,
        r.action_taken_at,
        r.action_taken_by,
        r.created_at,
        r.updated_at,
        r.assigned_to
    );
    for (const auto status : r.statuses) db.run(take_report_status, r.id, status);
}

const db::Command take_setting{
    "take_setting",
    R"(INSERT INTO settings (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value)"
};
void write(db::Write& db, const SettingRow& s) { db.run(take_setting, s.name, s.value); }

const db::Command take_path{
    "take_path",
    "INSERT INTO former_paths (path, kind, id, target) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const FormerPathRow& p) { db.run(take_path, p.path, p.kind, p.id, p.target); }

}  // namespace takeover
