-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: why something was decided, for who it is about. `automated`: a rule decided it, nobody of the team. `ground`: the category
-- of the report that it answers, as it was then, or ''. `rule_ids` (JSON): the rules of the site that were broken.
ALTER TABLE strikes ADD COLUMN automated BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE strikes ADD COLUMN ground TEXT NOT NULL DEFAULT '';
ALTER TABLE strikes ADD COLUMN rule_ids TEXT;
UPDATE strikes SET automated = TRUE WHERE id IN (SELECT strike_id FROM rule_hits WHERE strike_id <> 0);
UPDATE strikes SET ground = (SELECT r.category FROM reports r WHERE r.id = strikes.report_id),
                   rule_ids = (SELECT r.rule_ids FROM reports r WHERE r.id = strikes.report_id)
    WHERE report_id IN (SELECT id FROM reports);
