-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: the label that servers get about which a subscribed list advises, where it gives them one.
ALTER TABLE list_sources ADD COLUMN label_id BIGINT;
