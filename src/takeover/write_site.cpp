// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/staff_rows.hpp"

namespace takeover {

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

// Those that every database has are as they were there.
const db::Command take_role{
    "take_role",
    R"(INSERT INTO roles (id, name, color, position, permissions, highlighted, collection_limit, require_2fa)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, color = excluded.color, position = excluded.position,
           permissions = excluded.permissions, highlighted = excluded.highlighted,
           collection_limit = excluded.collection_limit, require_2fa = excluded.require_2fa)"
};
void write(db::Write& db, const RoleRow& r) {
    db.run(
        take_role,
        r.id,
        r.name,
        r.color,
        r.position,
        r.permissions,
        r.highlighted,
        r.collection_limit,
        r.require_2fa
    );
}

const db::Command take_relay{
    "take_relay",
    R"(INSERT INTO relays (id, address, inbox, follow, state, created_at) VALUES ($1, $2, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const RelayRow& r) {
    db.run(take_relay, r.id, r.inbox, r.follow, r.state, r.created_at);
}

}  // namespace takeover
