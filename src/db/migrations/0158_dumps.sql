-- SPDX-License-Identifier: AGPL-3.0-or-later
-- backup: the copy of a PostgreSQL database that one of its nodes makes now and then. One row. `due_at`: when the next one is to
-- be made, `try_at`: not before then, after one that failed; `holder` is at it until `leased_until`; `made_at`, `verified_at`,
-- `sound`: of the last one; `failures` in a row, the last at `failed_at` because of `failure`.
CREATE TABLE dump_turns (
    id BIGINT PRIMARY KEY,
    due_at BIGINT NOT NULL,
    try_at BIGINT NOT NULL,
    holder TEXT NOT NULL,
    leased_until BIGINT NOT NULL,
    made_at BIGINT NOT NULL,
    verified_at BIGINT NOT NULL,
    sound BOOLEAN NOT NULL,
    failures BIGINT NOT NULL,
    failed_at BIGINT NOT NULL,
    failure TEXT NOT NULL
);
INSERT INTO dump_turns (id, due_at, try_at, holder, leased_until, made_at, verified_at, sound, failures, failed_at, failure)
    VALUES (1, 0, 0, '', 0, 0, 0, TRUE, 0, 0, '');
