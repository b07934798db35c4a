-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Who may answer a status: of one written here a word, of one from elsewhere bits as statuses/interactions/approval.hpp has
-- them (0: everybody). reply_state: pending and hidden answers are left out of their thread.
ALTER TABLE statuses ADD COLUMN reply_policy TEXT NOT NULL DEFAULT 'public';
ALTER TABLE statuses ADD COLUMN reply_approval BIGINT NOT NULL DEFAULT 0;
ALTER TABLE statuses ADD COLUMN reply_state TEXT NOT NULL DEFAULT 'shown';

-- By which who it answers approved, as the answer itself says.
ALTER TABLE remote_statuses ADD COLUMN reply_authorization TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN default_reply_policy TEXT NOT NULL DEFAULT 'public';

-- Answers to statuses that not everybody may answer, and those that the author of what they answer took out of the thread.
-- authorization_uri: by which an author on another server has approved; '' where we approve, or nobody has. request: the
-- activity by which another server asked, or ''.
CREATE TABLE reply_approvals (
    status_id BIGINT PRIMARY KEY,
    account_id BIGINT NOT NULL,
    parent_id BIGINT NOT NULL,
    author_id BIGINT NOT NULL,
    state TEXT NOT NULL,
    authorization_uri TEXT NOT NULL DEFAULT '',
    request TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL
);
CREATE INDEX reply_approvals_author ON reply_approvals (author_id, state, status_id);
CREATE INDEX reply_approvals_account ON reply_approvals (account_id);
