-- SPDX-License-Identifier: AGPL-3.0-or-later

-- discovery: the searchable words of each status (base/text/words.hpp) and what search operators ask of it; the full
-- text index stands over it. Derived: may be emptied and filled again by the job index_older.
CREATE TABLE status_texts (
    status_id BIGINT PRIMARY KEY,
    /*sqlite: words TEXT NOT NULL*/
    /*postgres: terms TSVECTOR NOT NULL*/
);

-- accounts: the words of names.
CREATE TABLE account_texts (
    account_id BIGINT PRIMARY KEY,
    words TEXT NOT NULL
    /*postgres: , terms TSVECTOR NOT NULL*/
);
CREATE INDEX accounts_by_followers ON accounts (followers_count, id);

-- What was here before is indexed by jobs, in chunks.
INSERT INTO jobs (id, kind, payload, run_at, created_at)
    SELECT 9001, 'index_older', '{"below":"9223372036854775807"}', 0, 0 WHERE EXISTS (SELECT 1 FROM statuses);
INSERT INTO jobs (id, kind, payload, run_at, created_at)
    SELECT 9002, 'index_older_accounts', '{"below":"9223372036854775807"}', 0, 0
    WHERE EXISTS (SELECT 1 FROM accounts);

CREATE INDEX poll_votes_of ON poll_votes (account_id, status_id);
CREATE INDEX polls_of ON polls (account_id, status_id);

-- tags: what staff allows: to be found and to be used.
ALTER TABLE tags ADD COLUMN listable BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE tags ADD COLUMN usable BOOLEAN NOT NULL DEFAULT TRUE;

-- discovery: what staff has decided, or is asked to, about hashtags, statuses, authors, links and publishers as trends.
CREATE TABLE trend_reviews (
    kind TEXT NOT NULL,
    subject_id BIGINT NOT NULL,
    allowed BOOLEAN,
    requested_at BIGINT,
    reviewed_at BIGINT,
    PRIMARY KEY (kind, subject_id)
);

-- discovery: what is trending, as last refreshed. `peak` is the highest score, reached at `peaked_at`, from which the
-- score fades.
CREATE TABLE trending (
    kind TEXT NOT NULL,
    subject_id BIGINT NOT NULL,
    author_id BIGINT NOT NULL DEFAULT 0,
    language TEXT,
    score DOUBLE PRECISION NOT NULL,
    peak DOUBLE PRECISION NOT NULL,
    peaked_at BIGINT NOT NULL,
    shown BOOLEAN NOT NULL,
    PRIMARY KEY (kind, subject_id)
);
CREATE INDEX trending_by_score ON trending (kind, shown, score);

-- discovery: a year of an account; without figures it is still being made.
CREATE TABLE annual_reports (
    account_id BIGINT NOT NULL,
    year BIGINT NOT NULL,
    figures TEXT,
    created_at BIGINT NOT NULL,
    read_at BIGINT,
    PRIMARY KEY (account_id, year)
);
