-- SPDX-License-Identifier: AGPL-3.0-or-later
-- federation: where an actor's own server says that it has moved to; '' where it says nothing.
ALTER TABLE actors ADD COLUMN moved_to TEXT NOT NULL DEFAULT '';
