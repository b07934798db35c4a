-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: of lists that say different things of a server, those of the highest priority decide. A list that a source brought has
-- the priority of the source, also when that is subscribed to no more.
ALTER TABLE list_sources ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
ALTER TABLE list_batches ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
-- instance: of the lists that made it what it is.
ALTER TABLE domain_blocks ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;
