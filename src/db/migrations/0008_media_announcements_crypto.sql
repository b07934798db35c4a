-- media. `scheduled_id`: the scheduled status that will show it, until then nobody else may have or delete it.
-- `thumbnail`: a picture of the owner's that is shown instead of the preview. `colors`: JSON, of a cover.
ALTER TABLE media ADD COLUMN scheduled_id BIGINT;
ALTER TABLE media ADD COLUMN processing TEXT NOT NULL DEFAULT 'complete';
ALTER TABLE media ADD COLUMN thumbnail TEXT;
ALTER TABLE media ADD COLUMN frame_rate TEXT;
ALTER TABLE media ADD COLUMN duration DOUBLE PRECISION;
ALTER TABLE media ADD COLUMN bitrate BIGINT;
ALTER TABLE media ADD COLUMN colors TEXT;
CREATE INDEX media_by_scheduled ON media (scheduled_id, position) WHERE scheduled_id IS NOT NULL;
CREATE INDEX media_by_thumbnail ON media (thumbnail) WHERE thumbnail IS NOT NULL;

-- media: what waits for the media worker, or is with it until `leased_until`. `source` is the upload.
CREATE TABLE media_processing (
    media_id BIGINT PRIMARY KEY,
    source TEXT NOT NULL,
    leased_until BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX media_processing_due ON media_processing (leased_until, media_id);

-- announcements. Shown from `published_at` on and until `ends_at`. What the text mentions, links and tags: JSON.
CREATE TABLE announcements (
    id BIGINT PRIMARY KEY,
    text TEXT NOT NULL,
    html TEXT NOT NULL,
    mentions TEXT NOT NULL DEFAULT '[]',
    statuses TEXT NOT NULL DEFAULT '[]',
    tags TEXT NOT NULL DEFAULT '[]',
    published_at BIGINT NOT NULL,
    starts_at BIGINT,
    ends_at BIGINT,
    all_day BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE TABLE announcement_dismissals (
    account_id BIGINT NOT NULL,
    announcement_id BIGINT NOT NULL,
    PRIMARY KEY (account_id, announcement_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE TABLE announcement_reactions (
    id BIGINT PRIMARY KEY,
    announcement_id BIGINT NOT NULL,
    account_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    custom_emoji_id BIGINT
);
CREATE UNIQUE INDEX announcement_reactions_once ON announcement_reactions (announcement_id, account_id, name);

-- crypto. A device is a token's; its keys and what waits for it go with it.
CREATE TABLE crypto_devices (
    id BIGINT PRIMARY KEY,
    token_id BIGINT NOT NULL UNIQUE,
    account_id BIGINT NOT NULL,
    device_id TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint_key TEXT NOT NULL,
    identity_key TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX crypto_devices_of ON crypto_devices (account_id, device_id);
CREATE TABLE crypto_one_time_keys (
    id BIGINT PRIMARY KEY,
    device BIGINT NOT NULL,
    key_id TEXT NOT NULL,
    key_text TEXT NOT NULL,
    signature TEXT NOT NULL
);
CREATE UNIQUE INDEX crypto_one_time_keys_of ON crypto_one_time_keys (device, key_id);
CREATE TABLE crypto_messages (
    id BIGINT PRIMARY KEY,
    device BIGINT NOT NULL,
    from_account_id BIGINT NOT NULL,
    from_device_id TEXT NOT NULL,
    type BIGINT NOT NULL,
    body TEXT NOT NULL,
    digest TEXT NOT NULL,
    message_franking TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX crypto_messages_to ON crypto_messages (device, id);
