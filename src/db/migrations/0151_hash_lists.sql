-- SPDX-License-Identifier: AGPL-3.0-or-later
-- media: lists of pictures that must not be here. `distance`: by how many bits of 256 one may look different and is still taken for one
-- of them.
CREATE TABLE hash_lists (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    effect TEXT NOT NULL,
    distance BIGINT NOT NULL,
    size BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX hash_lists_by_name ON hash_lists (name);
-- media: what is on them, some thousand hashes a row, sealed: nobody reads them off the disk.
CREATE TABLE hash_entries (
    list_id BIGINT NOT NULL,
    part BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (list_id, part)
);
-- media: pictures that were found to be on such a list, and what was decided. `file`: where the original was, below data/media; `files`:
-- all of its family; one that was given back may be found again, by another list. `distance`: NULL where it is the same file, byte by byte. The ids are 0 as long as nobody knows: of an upload that
-- nobody has posted, of a picture that no account shows.
CREATE TABLE quarantine (
    id BIGINT PRIMARY KEY,
    file TEXT NOT NULL,
    files TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    list_id BIGINT NOT NULL,
    list_name TEXT NOT NULL,
    distance BIGINT,
    account_id BIGINT NOT NULL,
    media_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    report_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    decided_at BIGINT,
    decided_by BIGINT NOT NULL
);
CREATE INDEX quarantine_by_file ON quarantine (file);
CREATE UNIQUE INDEX quarantine_held ON quarantine (file) WHERE state = 'held';
CREATE INDEX quarantine_by_state ON quarantine (state, id);
CREATE INDEX quarantine_by_media ON quarantine (media_id) WHERE media_id <> 0;
CREATE INDEX quarantine_by_sha256 ON quarantine (sha256);
