-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: the servers of which an account was known at any time. `reversed`: the host of the domain, without a port, read
-- backwards, so that those below a domain stand together.
CREATE TABLE known_servers (
    reversed TEXT/*postgres: COLLATE "C"*/ NOT NULL,
    domain TEXT/*postgres: COLLATE "C"*/ NOT NULL,
    PRIMARY KEY (reversed, domain)
)/*sqlite: WITHOUT ROWID*/;
INSERT INTO known_servers (reversed, domain)
WITH RECURSIVE known(domain) AS (SELECT DISTINCT domain FROM accounts WHERE domain <> ''),
turned(domain, rest, reversed) AS (
    SELECT domain, domain, CAST('' AS TEXT) FROM known
    UNION ALL
    SELECT domain, substr(rest, 2), substr(rest, 1, 1) || reversed FROM turned
    WHERE rest <> '' AND substr(rest, 1, 1) <> ':')
SELECT reversed, domain FROM turned WHERE rest = '' OR substr(rest, 1, 1) = ':';
