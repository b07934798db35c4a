-- SPDX-License-Identifier: AGPL-3.0-or-later
-- All owned by federation.

-- What is told to other servers, once, however many are told. `signer` is the account in whose name (0: the server's
-- own actor), `object` what it is about: about one object an inbox hears in order. `low`: given up sooner.
-- `always`: tried even where a host does not answer. `synchronized`: tells of the signer's followers, too (FEP-8fcf).
CREATE TABLE activities (
    id BIGINT PRIMARY KEY,
    signer BIGINT NOT NULL,
    object TEXT NOT NULL,
    low BOOLEAN NOT NULL,
    always BOOLEAN NOT NULL,
    synchronized BOOLEAN NOT NULL,
    body TEXT NOT NULL
);

-- To which inboxes it has yet to be brought. Of two rows with the same inbox and object the later activity is never
-- due before the earlier.
CREATE TABLE deliveries (
    activity_id BIGINT NOT NULL,
    inbox TEXT NOT NULL,
    host TEXT NOT NULL,
    object TEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    run_at BIGINT NOT NULL,
    error TEXT,
    PRIMARY KEY (activity_id, inbox)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX deliveries_due ON deliveries (host, run_at, activity_id);
CREATE INDEX deliveries_in_order ON deliveries (inbox, object, activity_id);

-- Hosts (with their port, where one is written) that were sent something. `knock`: the form of signature that they
-- took last. `failures` in a row; `failure_days`: on how many days there were some since the last success, the last of
-- them `failure_day`. `next_at`: when the earliest delivery is due; while `leased_until` a sender is at it.
CREATE TABLE hosts (
    authority TEXT PRIMARY KEY,
    knock TEXT NOT NULL DEFAULT 'draft',
    failures BIGINT NOT NULL DEFAULT 0,
    failure_days BIGINT NOT NULL DEFAULT 0,
    failure_day BIGINT NOT NULL DEFAULT 0,
    unavailable_since BIGINT,
    paused_until BIGINT NOT NULL DEFAULT 0,
    next_at BIGINT,
    leased_until BIGINT NOT NULL DEFAULT 0,
    delivered_at BIGINT,
    failed_at BIGINT
);
CREATE INDEX hosts_due ON hosts (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX hosts_unavailable ON hosts (authority) WHERE unavailable_since IS NOT NULL;

CREATE INDEX actors_by_inbox ON actors (inbox);

-- Changes that come in bursts and are told once: of a poll or an account, by `kind`.
CREATE TABLE planned_updates (
    kind TEXT NOT NULL,
    id BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    PRIMARY KEY (kind, id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX planned_updates_due ON planned_updates (due_at);

CREATE INDEX reblogs_ever ON statuses (reblog_of_id, id) WHERE reblog_of_id IS NOT NULL;
