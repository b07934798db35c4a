-- SPDX-License-Identifier: AGPL-3.0-or-later
-- oauth: what a session may do over the API is a token of the app "Web", and ends with it. `confirmed_at`: when the
-- password was last given. Sessions of before have none: who has one signs in again.
DELETE FROM push_subscriptions WHERE web_session_id IS NOT NULL;
DELETE FROM web_sessions;
ALTER TABLE web_sessions ADD COLUMN token_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE web_sessions ADD COLUMN confirmed_at BIGINT NOT NULL DEFAULT 0;
