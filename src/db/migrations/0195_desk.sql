-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: which cases wait, without a look at the rows of those that do not.
DROP INDEX cases_by_rank;
CREATE INDEX cases_by_rank_and_state ON cases (rank, id, snoozed_until, claimed_until, claimed_by) WHERE open = TRUE;
-- accounts: how many people were here on a day, by the day on which they had been here before; 0: never, as far as is known.
CREATE TABLE active_days (
    day BIGINT NOT NULL,
    seen_before BIGINT NOT NULL,
    people BIGINT NOT NULL,
    PRIMARY KEY (day, seen_before)
)/*sqlite: WITHOUT ROWID*/;
