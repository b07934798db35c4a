-- SPDX-License-Identifier: AGPL-3.0-or-later
-- discovery: statuses whose searchable words are to be written or removed; `version` grows with every change.
CREATE TABLE status_texts_due (
    status_id BIGINT PRIMARY KEY,
    version BIGINT NOT NULL
);
