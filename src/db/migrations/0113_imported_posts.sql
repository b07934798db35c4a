-- SPDX-License-Identifier: AGPL-3.0-or-later
-- transfer: an archive whose posts somebody brings along. `state`: running, ended, stopped, or leaving: its posts are being
-- deleted. `file`: below data/media; empty when nobody needs it any more. `unpacked`: bytes of media. `problem`: why it stopped
-- by itself.
CREATE TABLE post_imports (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    file TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'running',
    published BOOLEAN NOT NULL DEFAULT FALSE,
    total BIGINT NOT NULL DEFAULT 0,
    done BIGINT NOT NULL DEFAULT 0,
    failed BIGINT NOT NULL DEFAULT 0,
    posts BIGINT NOT NULL DEFAULT 0,
    unpacked BIGINT NOT NULL DEFAULT 0,
    problem TEXT NOT NULL DEFAULT '',
    attempts BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX post_imports_of ON post_imports (account_id, id);
CREATE INDEX post_imports_running ON post_imports (leased_until, id) WHERE state = 'running';
-- What of it failed, the first some of all.
CREATE TABLE post_import_failures (
    import_id BIGINT NOT NULL,
    number BIGINT NOT NULL,
    what TEXT NOT NULL,
    problem TEXT NOT NULL,
    PRIMARY KEY (import_id, number)
)/*sqlite: WITHOUT ROWID*/;
-- Which posts were brought along, from where. `uri`: as it was there; `here_only`: there, too, it was for its own site alone.
CREATE TABLE imported_posts (
    status_id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    import_id BIGINT NOT NULL,
    uri TEXT NOT NULL,
    here_only BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX imported_posts_by_uri ON imported_posts (account_id, uri);
CREATE INDEX imported_posts_of_import ON imported_posts (import_id, status_id);
