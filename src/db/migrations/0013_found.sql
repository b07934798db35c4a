-- SPDX-License-Identifier: AGPL-3.0-or-later

-- statuses: who began a conversation and with which status, of which its ActivityPub id is made; `uri` where another
-- server has named it.
ALTER TABLE conversations ADD COLUMN status_id BIGINT;
ALTER TABLE conversations ADD COLUMN account_id BIGINT;
ALTER TABLE conversations ADD COLUMN uri TEXT;
CREATE INDEX conversations_by_uri ON conversations (uri) WHERE uri IS NOT NULL;
CREATE INDEX statuses_of_conversation ON statuses (conversation_id, id);
UPDATE conversations SET status_id = (SELECT min(s.id) FROM statuses s WHERE s.conversation_id = conversations.id
    AND s.reblog_of_id IS NULL);
UPDATE conversations SET account_id = (SELECT s.account_id FROM statuses s WHERE s.id = conversations.status_id);

-- statuses: where the author of another server agrees that a status of ours quotes theirs (FEP-044f).
ALTER TABLE quotes ADD COLUMN stamp TEXT;
