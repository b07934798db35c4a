-- SPDX-License-Identifier: AGPL-3.0-or-later
-- transfer: files of CSV that somebody brings along. `state`: running, ended or stopped.
CREATE TABLE imports (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    overwrite BOOLEAN NOT NULL,
    state TEXT NOT NULL DEFAULT 'running',
    total BIGINT NOT NULL,
    done BIGINT NOT NULL DEFAULT 0,
    failed BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX imports_of ON imports (account_id, id);
CREATE INDEX imports_ended ON imports (ended_at, id) WHERE ended_at IS NOT NULL;
-- Their lines, some in one row: JSON. Of an import that has ended only those rows stay in which something failed.
CREATE TABLE import_chunks (
    import_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    lines TEXT NOT NULL,
    failed BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (import_id, number)
)/*sqlite: WITHOUT ROWID*/;
