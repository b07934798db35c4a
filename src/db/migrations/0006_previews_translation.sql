-- SPDX-License-Identifier: AGPL-3.0-or-later

-- statuses: what a link leads to, kept once for all statuses that hold it. `url` is the link without its fragment.
-- `usable` is FALSE of a page that has nothing to show or could not be fetched, and no status has a row with such a
-- card. `claimed_account_id` is the author that the page names, `author_account_id` the same when that account lists
-- the domain of the page. `trendable` is what moderators decided (NULL: nothing yet), `trending` whether it is an
-- approved trend now. Both are written for discovery by the functions of statuses/preview.hpp.
CREATE TABLE preview_cards (
    id BIGINT PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    usable BOOLEAN NOT NULL DEFAULT FALSE,
    type TEXT NOT NULL DEFAULT 'link',
    title TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    language TEXT,
    author_name TEXT NOT NULL DEFAULT '',
    author_url TEXT NOT NULL DEFAULT '',
    provider_name TEXT NOT NULL DEFAULT '',
    provider_url TEXT NOT NULL DEFAULT '',
    html TEXT NOT NULL DEFAULT '',
    width BIGINT NOT NULL DEFAULT 0,
    height BIGINT NOT NULL DEFAULT 0,
    image TEXT NOT NULL DEFAULT '',
    image_description TEXT NOT NULL DEFAULT '',
    embed_url TEXT NOT NULL DEFAULT '',
    blurhash TEXT,
    published_at BIGINT,
    author_account_id BIGINT NOT NULL DEFAULT 0,
    claimed_account_id BIGINT NOT NULL DEFAULT 0,
    trendable BOOLEAN,
    trending BOOLEAN NOT NULL DEFAULT FALSE,
    fetched_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX preview_cards_claimed ON preview_cards (claimed_account_id) WHERE claimed_account_id <> 0;

-- statuses: which status shows which card (statuses.relations has the bit has_card), and whose status it is. `url` is
-- the link as the status has it.
CREATE TABLE preview_cards_statuses (
    status_id BIGINT PRIMARY KEY,
    card_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    url TEXT NOT NULL
);
CREATE INDEX statuses_of_card ON preview_cards_statuses (card_id, status_id);

-- statuses: translated texts, by a hash of the texts, their language and the language wanted.
CREATE TABLE translations (
    key TEXT PRIMARY KEY,
    texts TEXT NOT NULL,
    source_language TEXT NOT NULL,
    provider TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX translations_by_age ON translations (created_at);

-- instance: work in the background that clients may ask about (instance/async_refresh.hpp).
CREATE TABLE async_refreshes (
    key TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    result_count BIGINT,
    expires_at BIGINT NOT NULL
);
CREATE INDEX async_refreshes_by_end ON async_refreshes (expires_at);

-- instance: what happened in the week that began at `week` (seconds since 1970, a Monday).
CREATE TABLE activity_weeks (
    week BIGINT PRIMARY KEY,
    statuses BIGINT NOT NULL DEFAULT 0,
    logins BIGINT NOT NULL DEFAULT 0,
    registrations BIGINT NOT NULL DEFAULT 0
);

-- instance: servers that moderators limited.
CREATE TABLE domain_blocks (
    id BIGINT PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE,
    severity TEXT NOT NULL DEFAULT 'silence',
    reject_media BOOLEAN NOT NULL DEFAULT FALSE,
    reject_reports BOOLEAN NOT NULL DEFAULT FALSE,
    obfuscate BOOLEAN NOT NULL DEFAULT FALSE,
    private_comment TEXT,
    public_comment TEXT,
    created_at BIGINT NOT NULL
);

-- instance: every version of the terms of service, in Markdown. What is not published is a draft.
CREATE TABLE terms_of_service (
    id BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    changelog TEXT NOT NULL DEFAULT '',
    effective_date TEXT NOT NULL,
    published_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX terms_of_service_by_date ON terms_of_service (effective_date);
