-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts. `feature_policy`: who may put an account of another server into a collection, as accounts/featuring.hpp says;
-- 0: nobody.
ALTER TABLE accounts ADD COLUMN feature_policy BIGINT NOT NULL DEFAULT 0;
-- federation. Where the collections of an actor are listed, and when the list was last asked for.
ALTER TABLE actors ADD COLUMN featured_collections TEXT NOT NULL DEFAULT '';
ALTER TABLE actors ADD COLUMN collections_read_at BIGINT NOT NULL DEFAULT 0;
-- collections. `read_at`: when one of another server was last asked for. Of an item there, `uri` is its id, `position` its
-- place; `stamp` is where an account of another server agreed, and `checked_at` when that was last seen to hold.
ALTER TABLE collections ADD COLUMN read_at BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX collections_by_uri ON collections (uri) WHERE uri IS NOT NULL;
ALTER TABLE collection_items ADD COLUMN uri TEXT;
ALTER TABLE collection_items ADD COLUMN stamp TEXT;
ALTER TABLE collection_items ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE collection_items ADD COLUMN checked_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX collection_items_by_stamp ON collection_items (stamp) WHERE stamp IS NOT NULL;
