-- SPDX-License-Identifier: AGPL-3.0-or-later
-- media: by which pictures can be told again. `part` 0: what came, 1: what is kept of it, more: later pictures of a video. `pdq`: the hash
-- of what it looks like in its eight symmetries, 32 bytes each, or nothing; `sha256`: of the bytes, in hexadecimal digits, or nothing.
CREATE TABLE media_hashes (
    file TEXT NOT NULL,
    part BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    quality BIGINT NOT NULL,
    pdq BYTEA NOT NULL,
    PRIMARY KEY (file, part)
);
CREATE INDEX media_hashes_by_sha256 ON media_hashes (sha256, file);
