-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: what a login asks for besides the password. `second_factor`: whether there is any of what follows, so that who
-- asks for every request need not look.
ALTER TABLE users ADD COLUMN second_factor BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE roles ADD COLUMN require_2fa BOOLEAN NOT NULL DEFAULT FALSE;

-- accounts: the key that an app on the user's phone knows, too (base64url). It counts from `confirmed_at` on; codes up to
-- `last_step` are used up.
CREATE TABLE authenticators (
    user_id BIGINT PRIMARY KEY,
    secret TEXT NOT NULL,
    confirmed_at BIGINT,
    last_step BIGINT NOT NULL DEFAULT 0
);

-- accounts: SHA-256 of codes of which each is good once, where nothing else is at hand
CREATE TABLE recovery_codes (
    user_id BIGINT NOT NULL,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- accounts: keys of authenticators (WebAuthn). `challenged_at`: when that was asked which was answered last; what was asked
-- before is good no more.
CREATE TABLE passkeys (
    id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL,
    credential TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    algorithm BIGINT NOT NULL,
    uses BIGINT NOT NULL DEFAULT 0,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    challenged_at BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, id);

-- accounts: what concerns the safety of a login, for its owner to read and for limits
CREATE TABLE security_events (
    id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX security_events_of_user ON security_events (user_id, id);
CREATE INDEX security_events_by_age ON security_events (at);

-- oauth: whoever gave the right password and is yet to show the second factor; signed in they are not. `secret_hash`: of
-- what a cookie holds.
CREATE TABLE sign_in_attempts (
    secret_hash TEXT PRIMARY KEY,
    user_id BIGINT NOT NULL,
    return_to TEXT NOT NULL,
    adds BOOLEAN NOT NULL,
    shared BOOLEAN NOT NULL,
    wrong BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE INDEX sign_in_attempts_of_user ON sign_in_attempts (user_id);
CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts (created_at);
