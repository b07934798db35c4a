-- SPDX-License-Identifier: AGPL-3.0-or-later
-- tags: in how many posts from a day (since 1970) a tag is, by their language ('' where they tell none).
CREATE TABLE tag_language_days (
    tag_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    language TEXT NOT NULL,
    posts BIGINT NOT NULL,
    PRIMARY KEY (tag_id, day, language)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX tag_language_days_by_day ON tag_language_days (day);
INSERT INTO uncounted (kind, up_to)
    SELECT 'tagged', newest.id FROM (SELECT max(id) AS id FROM statuses) newest WHERE newest.id IS NOT NULL;
INSERT INTO jobs (id, kind, payload, run_at, created_at)
    SELECT 196001, 'count_past_days', '{}', 0, 0 WHERE EXISTS (SELECT 1 FROM uncounted WHERE kind = 'tagged');
