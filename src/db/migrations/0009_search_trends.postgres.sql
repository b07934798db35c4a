-- SPDX-License-Identifier: AGPL-3.0-or-later
-- A long list of pending entries would be walked by every search.
CREATE INDEX status_index ON status_texts USING gin (terms) WITH (gin_pending_list_limit = 256);
CREATE INDEX account_index ON account_texts USING gin (terms) WITH (gin_pending_list_limit = 256);
