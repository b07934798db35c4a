-- SPDX-License-Identifier: AGPL-3.0-or-later
-- letters: who gets the public statuses of an account by mail, without an account of their own. A subscription counts
-- once its address is confirmed; statuses up to `sent_up_to` have been sent.
CREATE TABLE email_subscriptions (
    id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    email TEXT NOT NULL,
    confirmation_hash TEXT,
    confirmation_sent_at BIGINT NOT NULL,
    confirmed_at BIGINT,
    sent_up_to BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX email_subscriptions_of ON email_subscriptions (account_id, email);
CREATE UNIQUE INDEX email_subscriptions_by_confirmation ON email_subscriptions (confirmation_hash)
    WHERE confirmation_hash IS NOT NULL;
CREATE INDEX email_subscriptions_confirmed ON email_subscriptions (account_id, id) WHERE confirmed_at IS NOT NULL;
CREATE INDEX email_subscriptions_waiting ON email_subscriptions (created_at) WHERE confirmed_at IS NULL;

-- letters: accounts with statuses that have yet to be sent.
CREATE TABLE email_letters_due (
    account_id BIGINT PRIMARY KEY,
    due_at BIGINT NOT NULL
);
CREATE INDEX email_letters_by_time ON email_letters_due (due_at);

-- accounts: the user wants to be subscribed to.
ALTER TABLE users ADD COLUMN email_subscriptions BOOLEAN NOT NULL DEFAULT FALSE;
