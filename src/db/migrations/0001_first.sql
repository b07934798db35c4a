-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Each table's comment names the slice that owns it: only that slice writes it.
-- Times are milliseconds since 1970, words of the API are stored as the API spells them.

-- instance
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE rules (
    id BIGINT PRIMARY KEY,
    position BIGINT NOT NULL DEFAULT 0,
    text TEXT NOT NULL,
    hint TEXT NOT NULL DEFAULT '',
    deleted_at BIGINT
);

-- emojis
CREATE TABLE custom_emojis (
    id BIGINT PRIMARY KEY,
    shortcode TEXT NOT NULL,
    domain TEXT NOT NULL DEFAULT '',
    file TEXT NOT NULL,
    static_file TEXT NOT NULL,
    category TEXT,
    featured BOOLEAN NOT NULL DEFAULT FALSE,
    visible_in_picker BOOLEAN NOT NULL DEFAULT TRUE,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX custom_emojis_by_name ON custom_emojis (shortcode, domain);

-- accounts. `version` grows with every change of what the Account entity shows; `relations_version` with every
-- change of whom the account follows, blocks or mutes, or who blocks it.
CREATE TABLE accounts (
    id BIGINT PRIMARY KEY,
    version BIGINT NOT NULL DEFAULT 1,
    relations_version BIGINT NOT NULL DEFAULT 1,
    username TEXT NOT NULL,
    domain TEXT NOT NULL DEFAULT '',
    actor_type TEXT NOT NULL DEFAULT 'Person',
    locked BOOLEAN NOT NULL DEFAULT FALSE,
    discoverable BOOLEAN,
    indexable BOOLEAN NOT NULL DEFAULT FALSE,
    hide_collections BOOLEAN,
    show_media BOOLEAN NOT NULL DEFAULT TRUE,
    show_media_replies BOOLEAN NOT NULL DEFAULT TRUE,
    show_featured BOOLEAN NOT NULL DEFAULT TRUE,
    followers_count BIGINT NOT NULL DEFAULT 0,
    following_count BIGINT NOT NULL DEFAULT 0,
    statuses_count BIGINT NOT NULL DEFAULT 0,
    last_status_at BIGINT,
    suspended_at BIGINT,
    silenced_at BIGINT,
    sensitized_at BIGINT,
    memorial BOOLEAN NOT NULL DEFAULT FALSE,
    moved_to_id BIGINT,
    created_at BIGINT NOT NULL,
    display_name TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    note_html TEXT NOT NULL DEFAULT '',
    fields TEXT NOT NULL DEFAULT '[]',
    avatar TEXT NOT NULL DEFAULT '',
    avatar_static TEXT NOT NULL DEFAULT '',
    avatar_description TEXT NOT NULL DEFAULT '',
    header TEXT NOT NULL DEFAULT '',
    header_static TEXT NOT NULL DEFAULT '',
    header_description TEXT NOT NULL DEFAULT '',
    attribution_domains TEXT NOT NULL DEFAULT '[]',
    uri TEXT NOT NULL DEFAULT '',
    url TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX accounts_by_handle ON accounts (lower(username), domain);

-- accounts: who may log in
CREATE TABLE roles (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    color TEXT NOT NULL DEFAULT '',
    position BIGINT NOT NULL DEFAULT 0,
    permissions BIGINT NOT NULL DEFAULT 0,
    highlighted BOOLEAN NOT NULL DEFAULT FALSE,
    collection_limit BIGINT NOT NULL DEFAULT 10
);
INSERT INTO roles (id, name, position, permissions, highlighted) VALUES
    (-99, '', -1, 65536, FALSE),
    (1, 'Moderator', 10, 1308, TRUE),
    (2, 'Admin', 100, 983036, TRUE),
    (3, 'Owner', 1000, 1, TRUE);
CREATE TABLE users (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL UNIQUE,
    role_id BIGINT NOT NULL DEFAULT -99,
    email TEXT NOT NULL,
    password_hash TEXT NOT NULL DEFAULT '',
    confirmed_at BIGINT,
    approved BOOLEAN NOT NULL DEFAULT TRUE,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    locale TEXT NOT NULL DEFAULT 'en',
    time_zone TEXT,
    default_privacy TEXT,
    default_sensitive BOOLEAN NOT NULL DEFAULT FALSE,
    default_language TEXT,
    default_quote_policy TEXT NOT NULL DEFAULT 'public',
    expand_media TEXT NOT NULL DEFAULT 'default',
    expand_spoilers BOOLEAN NOT NULL DEFAULT FALSE,
    autoplay_gifs BOOLEAN NOT NULL DEFAULT FALSE,
    show_application BOOLEAN NOT NULL DEFAULT TRUE,
    chosen_languages TEXT,
    created_by_app_id BIGINT,
    reason TEXT,
    age_verified_at BIGINT,
    confirmation_hash TEXT,
    confirmation_sent_at BIGINT,
    unconfirmed_email TEXT,
    reset_hash TEXT,
    reset_sent_at BIGINT,
    sign_up_address TEXT NOT NULL DEFAULT '',
    last_active_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX users_by_email ON users (email);
CREATE INDEX users_by_confirmation ON users (confirmation_hash) WHERE confirmation_hash IS NOT NULL;
CREATE INDEX users_by_reset ON users (reset_hash) WHERE reset_hash IS NOT NULL;

-- oauth. Secrets are stored as SHA-256, in hexadecimal.
CREATE TABLE apps (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    website TEXT,
    redirect_uris TEXT NOT NULL,
    scopes TEXT NOT NULL,
    client_id TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE TABLE authorization_codes (
    code_hash TEXT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    redirect_uri TEXT NOT NULL,
    scopes TEXT NOT NULL,
    challenge TEXT,
    created_at BIGINT NOT NULL,
    used_at BIGINT,
    token_id BIGINT
);
CREATE INDEX authorization_codes_by_user ON authorization_codes (user_id);
CREATE TABLE tokens (
    id BIGINT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    app_id BIGINT NOT NULL,
    user_id BIGINT,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX tokens_by_user ON tokens (user_id, app_id);
CREATE INDEX tokens_of_apps ON tokens (app_id) WHERE user_id IS NULL;
CREATE INDEX tokens_revoked ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE TABLE web_sessions (
    id BIGINT PRIMARY KEY,
    secret_hash TEXT NOT NULL UNIQUE,
    user_id BIGINT NOT NULL,
    address TEXT NOT NULL DEFAULT '',
    user_agent TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL
);
CREATE INDEX web_sessions_by_user ON web_sessions (user_id);

-- media. `free_since`: since when no status shows it; a day later it goes (media/media_jobs.hpp: sweep).
CREATE TABLE media (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    status_id BIGINT,
    position BIGINT NOT NULL DEFAULT 0,
    type TEXT NOT NULL,
    file TEXT NOT NULL,
    preview TEXT NOT NULL,
    mime TEXT NOT NULL,
    width BIGINT NOT NULL DEFAULT 0,
    height BIGINT NOT NULL DEFAULT 0,
    preview_width BIGINT NOT NULL DEFAULT 0,
    preview_height BIGINT NOT NULL DEFAULT 0,
    focus_x DOUBLE PRECISION,
    focus_y DOUBLE PRECISION,
    blurhash TEXT,
    description TEXT,
    free_since BIGINT,
    created_at BIGINT NOT NULL
);
CREATE INDEX media_by_status ON media (status_id, position) WHERE status_id IS NOT NULL;
CREATE INDEX media_unattached ON media (free_since) WHERE status_id IS NULL;
CREATE INDEX media_by_file ON media (file);

-- relationships. `backfill_below`: the followed account's statuses with a smaller id are not yet in the
-- follower's home entries; 0 when all of them are (docs/decisions/0007).
CREATE TABLE follows (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    show_reblogs BOOLEAN NOT NULL DEFAULT TRUE,
    notify BOOLEAN NOT NULL DEFAULT FALSE,
    languages TEXT,
    backfill_below BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX follows_by_pair ON follows (account_id, target_id);
CREATE INDEX follows_of ON follows (account_id, id);
CREATE INDEX followers_of ON follows (target_id, id);
CREATE INDEX follows_with_notice ON follows (target_id, id) WHERE notify = TRUE;
CREATE INDEX follows_in_backfill ON follows (account_id) WHERE backfill_below > 0;
CREATE TABLE follow_requests (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    show_reblogs BOOLEAN NOT NULL DEFAULT TRUE,
    notify BOOLEAN NOT NULL DEFAULT FALSE,
    languages TEXT,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX follow_requests_by_pair ON follow_requests (account_id, target_id);
CREATE INDEX follow_requests_to ON follow_requests (target_id, id);
CREATE TABLE blocks (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX blocks_by_pair ON blocks (account_id, target_id);
CREATE INDEX blocks_of_target ON blocks (target_id);
CREATE TABLE mutes (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    target_id BIGINT NOT NULL,
    hide_notifications BOOLEAN NOT NULL DEFAULT TRUE,
    expires_at BIGINT,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX mutes_by_pair ON mutes (account_id, target_id);

-- tags
CREATE TABLE tags (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- statuses. `version` grows with every change of what the Status entity shows to everybody. `relations` says
-- which other tables have rows of this status (statuses/status.hpp: Relation), so that they are asked only then.
CREATE TABLE conversations (
    id BIGINT PRIMARY KEY,
    created_at BIGINT NOT NULL
);
CREATE TABLE statuses (
    id BIGINT PRIMARY KEY,
    version BIGINT NOT NULL DEFAULT 1,
    account_id BIGINT NOT NULL,
    conversation_id BIGINT NOT NULL,
    in_reply_to_id BIGINT,
    in_reply_to_account_id BIGINT,
    reblog_of_id BIGINT,
    visibility TEXT NOT NULL,
    relations BIGINT NOT NULL DEFAULT 0,
    local BOOLEAN NOT NULL DEFAULT TRUE,
    sensitive BOOLEAN NOT NULL DEFAULT FALSE,
    replies_count BIGINT NOT NULL DEFAULT 0,
    reblogs_count BIGINT NOT NULL DEFAULT 0,
    favourites_count BIGINT NOT NULL DEFAULT 0,
    quotes_count BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    edited_at BIGINT,
    deleted_at BIGINT,
    app_id BIGINT,
    language TEXT,
    quote_policy TEXT NOT NULL DEFAULT 'public',
    content_type TEXT NOT NULL DEFAULT 'text/plain',
    uri TEXT,
    url TEXT,
    spoiler_text TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL DEFAULT ''
);
CREATE INDEX statuses_of_account ON statuses (account_id, id) WHERE deleted_at IS NULL;
CREATE INDEX statuses_public ON statuses (id) WHERE deleted_at IS NULL AND visibility = 'public'
    AND reblog_of_id IS NULL AND (in_reply_to_account_id IS NULL OR in_reply_to_account_id = account_id);
CREATE INDEX replies_to ON statuses (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX reblogs_of ON statuses (reblog_of_id, account_id)
    WHERE reblog_of_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX reblogs_by ON statuses (account_id, reblog_of_id) WHERE reblog_of_id IS NOT NULL AND deleted_at IS NULL;
CREATE TABLE mentions (
    status_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    silent BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (status_id, account_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX mentions_of ON mentions (account_id, status_id);
CREATE TABLE status_tags (
    tag_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    PRIMARY KEY (tag_id, status_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX tags_of_status ON status_tags (status_id);
CREATE TABLE favourites (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL
);
CREATE UNIQUE INDEX favourites_by_pair ON favourites (account_id, status_id);
CREATE INDEX favourites_of_account ON favourites (account_id, id);
CREATE INDEX favourites_of_status ON favourites (status_id, id);
CREATE TABLE bookmarks (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL
);
CREATE UNIQUE INDEX bookmarks_by_pair ON bookmarks (account_id, status_id);
CREATE INDEX bookmarks_of_account ON bookmarks (account_id, id);
CREATE TABLE idempotency_keys (
    account_id BIGINT NOT NULL,
    key TEXT NOT NULL,
    status_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- timelines: one row per reader of home and status. Rows may outlive the follow or the status; reading decides
-- (docs/decisions/0007).
CREATE TABLE home_entries (
    account_id BIGINT NOT NULL,
    status_id BIGINT NOT NULL,
    author_id BIGINT NOT NULL,
    original_id BIGINT NOT NULL,
    original_author_id BIGINT NOT NULL,
    reply_to_account_id BIGINT,
    PRIMARY KEY (account_id, status_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE TABLE markers (
    account_id BIGINT NOT NULL,
    timeline TEXT NOT NULL,
    last_read_id BIGINT NOT NULL,
    version BIGINT NOT NULL DEFAULT 0,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, timeline)
);

-- notifications
CREATE TABLE notifications (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    from_account_id BIGINT NOT NULL,
    type TEXT NOT NULL,
    status_id BIGINT NOT NULL DEFAULT 0,
    group_key TEXT NOT NULL,
    filtered BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX notifications_once ON notifications (account_id, type, from_account_id, status_id);
CREATE INDEX notifications_of ON notifications (account_id, id);
CREATE INDEX notifications_about ON notifications (status_id) WHERE status_id <> 0;

-- jobs
CREATE TABLE jobs (
    id BIGINT PRIMARY KEY,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    run_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    leased_until BIGINT NOT NULL DEFAULT 0,
    error TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX jobs_due ON jobs (run_at, id);
