-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what was resolved about somebody on whom many reports are open, and what was put off among many cases that wait
CREATE INDEX reports_resolved_on ON reports (target_id, id) WHERE action_taken_at IS NOT NULL;
CREATE INDEX cases_put_off ON cases (rank, id) WHERE open = TRUE AND snoozed_until > 0;
