-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what a list that is subscribed to is for: rules about servers, or servers that no list is to touch by itself.
-- `accepts`: the domains that it accepts, as JSON, as far as it was gone along with.
ALTER TABLE list_sources ADD COLUMN role TEXT NOT NULL DEFAULT 'block';
ALTER TABLE list_copies ADD COLUMN accepts TEXT NOT NULL DEFAULT '[]';
