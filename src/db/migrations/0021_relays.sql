-- SPDX-License-Identifier: AGPL-3.0-or-later
-- federation: servers that hand round the public posts of many. `address`: as it was given; `actor`: whom we follow there,
-- empty where the inbox is all that is known; `follow`: the id of our Follow; `account_id`: who answered it.
CREATE TABLE relays (
    id BIGINT PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    inbox TEXT NOT NULL,
    actor TEXT NOT NULL DEFAULT '',
    follow TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    account_id BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
