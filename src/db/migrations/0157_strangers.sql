-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what a report by somebody without an account has besides: who they say they are, and how they are answered. `email_hash`: of
-- the address however it is spelled, '' without one; `address`: of what was reported; `network`: for a day, a keyed hash of where it came
-- from; `tell_at`: when they are told of the decision.
CREATE TABLE notices (
    report_id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_hash TEXT NOT NULL,
    locale TEXT NOT NULL,
    address TEXT NOT NULL,
    network TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    decided_at BIGINT,
    tell_at BIGINT
);
CREATE INDEX notices_by_network ON notices (network, created_at) WHERE network <> '';
CREATE INDEX notices_by_age_of_network ON notices (created_at) WHERE network <> '';
CREATE INDEX notices_by_email ON notices (email_hash, created_at) WHERE email_hash <> '';
CREATE INDEX notices_told ON notices (email_hash, tell_at) WHERE tell_at IS NOT NULL;
CREATE INDEX notices_by_time ON notices (created_at);
CREATE INDEX notices_decided ON notices (decided_at) WHERE decided_at IS NOT NULL;

-- announcements: whether those who are not signed in read it, too.
ALTER TABLE announcements ADD COLUMN open BOOLEAN NOT NULL DEFAULT FALSE;
