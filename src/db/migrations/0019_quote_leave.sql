-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: by where the quoted author agreed, for when they no longer do. `legacy_quote`: it quotes by words of older
-- software, which count for posts of its own author only.
CREATE INDEX quotes_by_stamp ON quotes (stamp) WHERE stamp IS NOT NULL;
CREATE INDEX remote_statuses_by_stamp ON remote_statuses (stamp) WHERE stamp <> '';
ALTER TABLE remote_statuses ADD COLUMN legacy_quote BOOLEAN NOT NULL DEFAULT FALSE;
