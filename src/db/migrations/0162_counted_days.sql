-- SPDX-License-Identifier: AGPL-3.0-or-later
-- insight: what people here did on a day: followed, favourited, boosted, answered, voted. Each of sixteen rows of a day (place / 16) holds
-- a share of it, so that those who act at the same time do not wait for each other.
CREATE TABLE act_days (
    place BIGINT PRIMARY KEY,
    acts BIGINT NOT NULL
);
-- insight: how many posts of a server are from a day (since 1970); '' is this one.
CREATE TABLE server_days (
    day BIGINT NOT NULL,
    domain TEXT NOT NULL,
    posts BIGINT NOT NULL,
    PRIMARY KEY (day, domain)
)/*sqlite: WITHOUT ROWID*/;
-- insight: what was there before these tables, up to which number it is not counted yet. No row: all is.
CREATE TABLE uncounted (
    kind TEXT PRIMARY KEY,
    up_to BIGINT NOT NULL
);
INSERT INTO uncounted (kind, up_to)
    SELECT kind, up_to FROM (
        SELECT 'statuses' AS kind, (SELECT max(id) FROM statuses) AS up_to
        UNION ALL SELECT 'favourites', (SELECT max(id) FROM favourites)
        UNION ALL SELECT 'follows', (SELECT max(id) FROM follows)
        UNION ALL SELECT 'follow_requests', (SELECT max(id) FROM follow_requests)) newest
    WHERE up_to IS NOT NULL;
INSERT INTO jobs (id, kind, payload, run_at, created_at)
    SELECT 162001, 'count_past_days', '{}', 0, 0 WHERE EXISTS (SELECT 1 FROM uncounted);
