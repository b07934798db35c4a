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
