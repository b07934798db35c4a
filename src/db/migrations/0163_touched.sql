-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: somebody here has bookmarked it once, or wanted to quote it, which no index tells. Of bookmarks from before
-- statuses/remote/old_posts.hpp finds out.
ALTER TABLE remote_statuses ADD COLUMN touched BOOLEAN NOT NULL DEFAULT FALSE;
