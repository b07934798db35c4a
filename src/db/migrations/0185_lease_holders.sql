-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Which node has leased a row, so that what one had that is gone need not wait for its time to run out: jobs, federation, push
-- and media, each in its own tables. server: whether that was done.
ALTER TABLE jobs ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox_items ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE unverified_hosts ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE hosts ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE push_messages ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE media_processing ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE nodes ADD COLUMN leases_freed BOOLEAN NOT NULL DEFAULT FALSE;
