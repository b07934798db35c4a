-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: what follows `replies` in the address of its first page, where the post itself leads there.
ALTER TABLE remote_statuses ADD COLUMN replies_page TEXT NOT NULL DEFAULT '';
