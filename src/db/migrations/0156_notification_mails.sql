-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: what people chose of being told elsewhere than in the list of notifications. Who chose nothing has no row. `quiet_from` and
-- `quiet_until`: times of the day as 22:00 in `time_zone`, or '' where no time is quiet.
CREATE TABLE notification_choices (
    account_id BIGINT PRIMARY KEY,
    mail_mention BOOLEAN NOT NULL,
    mail_quote BOOLEAN NOT NULL,
    mail_follow BOOLEAN NOT NULL,
    mail_follow_request BOOLEAN NOT NULL,
    mail_reblog BOOLEAN NOT NULL,
    mail_favourite BOOLEAN NOT NULL,
    mail_report BOOLEAN NOT NULL,
    mail_appeal BOOLEAN NOT NULL,
    quiet_from TEXT NOT NULL,
    quiet_until TEXT NOT NULL,
    time_zone TEXT NOT NULL
);

-- notification_mails: who is to be written to, and was. `since`: the first notification that waits, `due_at`: when they are written to of all
-- that do, NULL where none does; `leased_until`: so long another job need not be made, as one is at it, 0 where none is; `sent_up_to`: newer
-- ones no job has looked at, `sent_at`: when the last mail was sent.
CREATE TABLE notification_mails (
    account_id BIGINT PRIMARY KEY,
    since BIGINT NOT NULL,
    due_at BIGINT,
    leased_until BIGINT NOT NULL DEFAULT 0,
    sent_up_to BIGINT NOT NULL DEFAULT 0,
    sent_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX notification_mails_due ON notification_mails (due_at) WHERE due_at IS NOT NULL;
