// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/staff_rows.hpp"

namespace takeover {

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

const db::Command take_invite{
    "take_invite",
    R"(INSERT INTO invites (code, account_id, expires_at, max_uses, uses, autofollow, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const InviteRow& i) {
    db.run(take_invite, i.code, i.account_id, i.expires_at, i.max_uses, i.uses, i.autofollow, i.created_at);
}

const db::Command take_address_block{
    "take_address_block",
    R"(INSERT INTO ip_blocks (id, ip, first, last, severity, comment, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const AddressBlockRow& b) {
    db.run(
        take_address_block, b.id, b.ip, b.first, b.last, b.severity, b.comment, b.expires_at, b.created_at
    );
}

const db::Command take_name_block{
    "take_name_block",
    R"(INSERT INTO username_blocks (id, username, plain, exact, allow_with_approval, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const NameBlockRow& b) {
    db.run(take_name_block, b.id, b.name, b.plain, b.exact, b.allow_with_approval, b.created_at);
}

const db::Command take_relay{
    "take_relay",
    R"(INSERT INTO relays (id, address, inbox, follow, state, created_at) VALUES ($1, $2, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const RelayRow& r) {
    db.run(take_relay, r.id, r.inbox, r.follow, r.state, r.created_at);
}

const db::Command take_terms{
    "take_terms",
    R"(INSERT INTO terms_of_service (id, text, changelog, effective_date, published_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const TermsRow& t) {
    db.run(take_terms, t.id, t.text, t.changelog, t.effective_date, t.published_at, t.created_at);
}

const db::Command take_warning_preset{
    "take_warning_preset",
    "INSERT INTO warning_presets (id, title, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const WarningPresetRow& p) { db.run(take_warning_preset, p.id, p.title, p.text); }

const db::Command take_announcement{
    "take_announcement",
    R"(INSERT INTO announcements (id, text, html, statuses, published_at, starts_at, ends_at, all_day, created_at,
           updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const AnnouncementRow& a) {
    db.run(
        take_announcement,
        a.id,
        a.text,
        a.html,
        a.statuses,
        a.published_at,
        a.starts_at,
        a.ends_at,
        a.all_day,
        a.created_at,
        a.updated_at
    );
}

const db::Command take_dismissal{
    "take_dismissal",
    R"(INSERT INTO announcement_dismissals (account_id, announcement_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const DismissalRow& d) { db.run(take_dismissal, d.account_id, d.announcement_id); }

const db::Command take_reaction{
    "take_reaction",
    R"(INSERT INTO announcement_reactions (id, announcement_id, account_id, name, custom_emoji_id)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const ReactionRow& r) {
    db.run(take_reaction, r.id, r.announcement_id, r.account_id, r.name, r.custom_emoji_id);
}

const db::Command take_strike{
    "take_strike",
    R"(INSERT INTO strikes (id, account_id, actor_id, action, text, report_id, status_ids, created_at, overruled_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const StrikeRow& s) {
    db.run(
        take_strike,
        s.id,
        s.account_id,
        s.actor_id,
        s.action,
        s.text,
        s.report_id,
        s.status_ids,
        s.created_at,
        s.overruled_at
    );
}

const db::Command take_appeal{
    "take_appeal",
    R"(INSERT INTO appeals (id, strike_id, account_id, text, state, created_at, decided_at, decided_by_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const AppealRow& a) {
    db.run(
        take_appeal,
        a.id,
        a.strike_id,
        a.account_id,
        a.text,
        a.state,
        a.created_at,
        a.decided_at,
        a.decided_by
    );
}

const db::Command take_staff_note{
    "take_staff_note",
    R"(INSERT INTO notes (id, kind, subject, author_id, text, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT DO NOTHING)"
};
void write(db::Write& db, const StaffNoteRow& n) {
    db.run(take_staff_note, n.id, n.kind, n.subject, n.author_id, n.text, n.created_at);
}

const db::Command take_deletion{
    "take_deletion", "INSERT INTO deletions (account_id, due_at) VALUES ($1, $2) ON CONFLICT DO NOTHING"
};
void write(db::Write& db, const DeletionRow& d) { db.run(take_deletion, d.account_id, d.due_at); }

}  // namespace takeover
