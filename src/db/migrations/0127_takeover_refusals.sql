-- SPDX-License-Identifier: AGPL-3.0-or-later
-- takeover: rows of the server of before that could not be taken, and why. `kind`: what they are there.
CREATE TABLE takeover_refusals (
    kind TEXT NOT NULL,
    former TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (kind, former)
)/*sqlite: WITHOUT ROWID*/;
