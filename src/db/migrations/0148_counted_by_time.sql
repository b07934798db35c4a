-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what was made in a time is counted by that time. Rows taken over from another server have ids that do not tell it.
CREATE INDEX reports_by_time ON reports (created_at);
CREATE INDEX strikes_by_time ON strikes (created_at);
CREATE INDEX appeals_by_time ON appeals (created_at);
