-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: what a report by somebody without an account has besides: who they say they are, and how they are answered. `address`: of
-- what was reported; `network`: a keyed hash of where it came from; `decided_at`: when they were told of the decision.
CREATE TABLE notices (
    report_id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    locale TEXT NOT NULL,
    address TEXT NOT NULL,
    network TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    decided_at BIGINT
);
CREATE INDEX notices_by_network ON notices (network, created_at);
CREATE INDEX notices_by_email ON notices (email, created_at) WHERE email <> '';
CREATE INDEX notices_by_time ON notices (created_at);
CREATE INDEX notices_decided ON notices (decided_at) WHERE decided_at IS NOT NULL;

-- announcements: whether those who are not signed in read it, too.
ALTER TABLE announcements ADD COLUMN open BOOLEAN NOT NULL DEFAULT FALSE;
