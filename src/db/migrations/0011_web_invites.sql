-- SPDX-License-Identifier: AGPL-3.0-or-later
-- push: where notifications of an access token or of a web session go. Ids are random and below 2^53, because the API
-- tells them as JSON numbers. `alerts` is a JSON object of booleans by type of notification.
CREATE TABLE push_subscriptions (
    id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL,
    token_id BIGINT UNIQUE,
    web_session_id BIGINT UNIQUE,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    standard BOOLEAN NOT NULL,
    policy TEXT NOT NULL,
    alerts TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id);

-- oauth: what the official web client keeps about a user, as JSON
CREATE TABLE web_settings (
    user_id BIGINT PRIMARY KEY,
    data TEXT NOT NULL
);

-- accounts
CREATE TABLE invites (
    code TEXT PRIMARY KEY,
    account_id BIGINT,
    expires_at BIGINT,
    max_uses BIGINT,
    uses BIGINT NOT NULL DEFAULT 0,
    autofollow BOOLEAN NOT NULL DEFAULT FALSE,
    created_at BIGINT NOT NULL
);
ALTER TABLE users ADD COLUMN invite_code TEXT;
