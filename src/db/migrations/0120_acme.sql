-- SPDX-License-Identifier: AGPL-3.0-or-later
-- acme: our accounts at certificate authorities, by the address of their directory. `url`: empty until it is made.
CREATE TABLE acme_accounts (
    directory TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    url TEXT NOT NULL
);
-- acme: the certificates that were issued, by the names they are for, separated by blanks. `renew_at`: when to have the next
-- one; `ask_at`: when the authority is asked again whether it would have that at another time.
CREATE TABLE acme_certificates (
    names TEXT PRIMARY KEY,
    directory TEXT NOT NULL,
    chain TEXT NOT NULL,
    key TEXT NOT NULL,
    issued_at BIGINT NOT NULL,
    valid_until BIGINT NOT NULL,
    renew_at BIGINT NOT NULL,
    ask_at BIGINT NOT NULL
);
-- acme: the order under way, with the key of the certificate to come.
CREATE TABLE acme_orders (
    directory TEXT NOT NULL,
    names TEXT NOT NULL,
    url TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (directory, names)
);
-- acme: what every node answers while the authority looks.
CREATE TABLE acme_challenges (
    token TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    key_authorization TEXT NOT NULL
);
-- acme: what was tried in the last week. `outcome`: 'issued', 'rehearsed', or 'failed', which `told` is about; `ordered`:
-- whether the authority counts it; `wait_until`: as it said.
CREATE TABLE acme_tries (
    id BIGINT PRIMARY KEY,
    names TEXT NOT NULL,
    tried_at BIGINT NOT NULL,
    directory TEXT NOT NULL,
    outcome TEXT NOT NULL,
    ordered BOOLEAN NOT NULL,
    told TEXT NOT NULL,
    wait_until BIGINT NOT NULL
);
-- acme: which node is at it, and whether somebody asked for a new certificate now.
CREATE TABLE acme_lease (
    id BIGINT PRIMARY KEY,
    holder TEXT NOT NULL,
    leased_until BIGINT NOT NULL,
    wanted BOOLEAN NOT NULL
);
INSERT INTO acme_lease (id, holder, leased_until, wanted) VALUES (1, '', 0, FALSE);
