-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts. `silenced_by` and `suspended_by`: 'domain' when that is so because of their server.
ALTER TABLE accounts ADD COLUMN silenced_by TEXT NOT NULL DEFAULT '';
CREATE INDEX accounts_by_domain ON accounts (domain, id) WHERE domain <> '';
