-- SPDX-License-Identifier: AGPL-3.0-or-later
-- discovery: whose links have been among the trends, by the host of their addresses.
CREATE TABLE publishers (
    id BIGINT PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE
);
-- accounts: on which days (midnight in UTC) somebody was here.
CREATE TABLE user_days (
    day BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX reports_by_resolution ON reports (action_taken_at) WHERE action_taken_at IS NOT NULL;
