-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: where the text names whom.
ALTER TABLE mentions ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
