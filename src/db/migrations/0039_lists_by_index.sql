-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Lists that show little of much read by an index what they show.

-- statuses: the public timeline of this site or of others, and of what has media.
CREATE INDEX statuses_public_by_origin ON statuses (local, id) WHERE deleted_at IS NULL AND visibility = 'public'
    AND reblog_of_id IS NULL AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id);
CREATE INDEX statuses_public_with_media ON statuses (id) WHERE deleted_at IS NULL AND visibility = 'public'
    AND reblog_of_id IS NULL AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id)
    AND (relations & 4) <> 0;
CREATE INDEX statuses_public_by_origin_with_media ON statuses (local, id) WHERE deleted_at IS NULL
    AND visibility = 'public' AND reblog_of_id IS NULL
    AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id) AND (relations & 4) <> 0;

-- statuses: what an account wrote, apart by who may read it and what it is (statuses/kinds.hpp: STATUS_KIND).
CREATE INDEX statuses_of_account_by_kind ON statuses (account_id, (
    (CASE WHEN visibility IN ('public', 'unlisted') THEN CASE WHEN local_only = TRUE THEN 1 ELSE 0 END
          WHEN visibility = 'private' THEN 2 ELSE 3 END) * 8
    + CASE WHEN reblog_of_id IS NOT NULL THEN 4
           ELSE CASE WHEN in_reply_to_id IS NOT NULL
                          AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id <> account_id) THEN 2 ELSE 0 END
                + CASE WHEN (relations & 4) <> 0 THEN 1 ELSE 0 END END
    ), id) WHERE deleted_at IS NULL;

-- statuses. `author_id`: who wrote a status that is not for everybody, so that those named find what was written to them.
ALTER TABLE mentions ADD COLUMN author_id BIGINT;
UPDATE mentions SET author_id = (SELECT s.account_id FROM statuses s WHERE s.id = mentions.status_id)
    WHERE EXISTS (SELECT 1 FROM statuses s WHERE s.id = mentions.status_id
                  AND s.visibility NOT IN ('public', 'unlisted'));
CREATE INDEX mentions_by_author ON mentions (account_id, author_id, status_id) WHERE author_id IS NOT NULL;

-- statuses. What of the status the lists under a tag ask for; `reach` is statuses/kinds.hpp: Reach.
ALTER TABLE status_tags ADD COLUMN account_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE status_tags ADD COLUMN local BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE status_tags ADD COLUMN reach BIGINT NOT NULL DEFAULT 0;
UPDATE status_tags SET
    account_id = (SELECT s.account_id FROM statuses s WHERE s.id = status_tags.status_id),
    local = (SELECT s.local FROM statuses s WHERE s.id = status_tags.status_id),
    reach = (SELECT CASE WHEN s.visibility IN ('public', 'unlisted') THEN CASE WHEN s.local_only = TRUE THEN 1 ELSE 0 END
                         WHEN s.visibility = 'private' THEN 2 ELSE 3 END FROM statuses s WHERE s.id = status_tags.status_id)
    WHERE EXISTS (SELECT 1 FROM statuses s WHERE s.id = status_tags.status_id);
CREATE INDEX status_tags_by_origin ON status_tags (tag_id, local, status_id);
CREATE INDEX status_tags_of_account ON status_tags (account_id, tag_id, reach, status_id);
