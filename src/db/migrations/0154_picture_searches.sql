-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: looking for pictures among all that are stored, in turns. `list_id`: for those of that list; 0: for the hashes of `sealed`, to
-- remove them wherever they are. `refused_by`: the list that refuses those from then on, 0 for all else. `cursor`: the file that the last turn ended with.
CREATE TABLE picture_searches (
    id BIGINT PRIMARY KEY,
    list_id BIGINT NOT NULL,
    refused_by BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    distance BIGINT NOT NULL,
    dry_run BOOLEAN NOT NULL,
    cursor TEXT NOT NULL,
    turns BIGINT NOT NULL,
    looked BIGINT NOT NULL,
    found BIGINT NOT NULL,
    media BIGINT NOT NULL,
    copies BIGINT NOT NULL,
    portraits BIGINT NOT NULL,
    emojis BIGINT NOT NULL,
    actor_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    finished_at BIGINT
);
