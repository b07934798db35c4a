-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: mail providers that nobody may sign up with, or only with approval.
CREATE TABLE email_domain_blocks (
    id BIGINT PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE,
    allow_with_approval BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);
-- accounts: how often somebody tried, from which address, on which day (its midnight in UTC).
CREATE TABLE email_domain_attempts (
    block_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    address TEXT NOT NULL,
    uses BIGINT NOT NULL,
    PRIMARY KEY (block_id, day, address)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX email_domain_attempts_by_day ON email_domain_attempts (day);
-- accounts: networks from which nobody may sign up, or come at all. `first` and `last` are the ends, in hexadecimal digits.
CREATE TABLE ip_blocks (
    id BIGINT PRIMARY KEY,
    ip TEXT NOT NULL UNIQUE,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    severity TEXT NOT NULL,
    comment TEXT NOT NULL,
    expires_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX ip_blocks_by_end ON ip_blocks (expires_at) WHERE expires_at IS NOT NULL;
-- accounts: names that nobody may sign up with. `plain` is how they are compared: without case, digits read as letters.
CREATE TABLE username_blocks (
    id BIGINT PRIMARY KEY,
    username TEXT NOT NULL,
    plain TEXT NOT NULL,
    exact BOOLEAN NOT NULL,
    allow_with_approval BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX username_blocks_by_name ON username_blocks (plain, exact);
-- instance: servers that are talked to where only allowed ones are.
CREATE TABLE domain_allows (
    id BIGINT PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);
