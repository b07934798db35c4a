-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses. `reaction`: the Like of another server that made the favourite was one with an emoji.
ALTER TABLE favourites ADD COLUMN reaction BOOLEAN NOT NULL DEFAULT FALSE;
-- statuses: further Likes of other servers for the same favourite, which lasts until the last of them is taken back.
CREATE TABLE likes_besides (
    account_id BIGINT NOT NULL,
    uri TEXT NOT NULL,
    status_id BIGINT NOT NULL,
    reaction BOOLEAN NOT NULL,
    PRIMARY KEY (account_id, uri)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX likes_besides_of_pair ON likes_besides (account_id, status_id, uri);
