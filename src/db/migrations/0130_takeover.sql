-- SPDX-License-Identifier: AGPL-3.0-or-later
-- former: what things were called at the server that had this domain before. Ids of its API that are no numbers: ULIDs, flakes,
-- UUIDs. `kind`: account, status, media, notification, list, filter, app, poll …
CREATE TABLE former_ids (
    kind TEXT NOT NULL,
    former TEXT NOT NULL,
    id BIGINT NOT NULL,
    PRIMARY KEY (kind, former)
)/*sqlite: WITHOUT ROWID*/;

-- former: paths below this domain that are no ids of ours, and what they name now. `target`: of kind file, where it lies below
-- data/media; of kind page, where it is now.
CREATE TABLE former_paths (
    path TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    id BIGINT NOT NULL,
    target TEXT
)/*sqlite: WITHOUT ROWID*/;

-- former: each server whose place was taken. Where there is a row, what its addresses named is looked for. `state`: copying,
-- copied or finished; `step` and `position`: how far a copy is, which goes on from there; `figures`: JSON.
CREATE TABLE takeovers (
    id BIGINT PRIMARY KEY,
    source TEXT NOT NULL,
    version TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'copying',
    step TEXT NOT NULL DEFAULT '',
    position TEXT NOT NULL DEFAULT '',
    rows_done BIGINT NOT NULL DEFAULT 0,
    rows_total BIGINT NOT NULL DEFAULT 0,
    figures TEXT NOT NULL DEFAULT '{}',
    started_at BIGINT NOT NULL,
    finished_at BIGINT
);
