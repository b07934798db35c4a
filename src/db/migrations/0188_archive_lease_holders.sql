-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Which node has leased an archive that is made, or one that is gone through, as 0185 has it for other rows.
ALTER TABLE archives ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
ALTER TABLE post_imports ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
