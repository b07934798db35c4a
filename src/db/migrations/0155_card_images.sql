-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: by its file, which preview of a link shows a picture; of those that were fetched since.
CREATE TABLE card_images (
    image TEXT PRIMARY KEY,
    card_id BIGINT NOT NULL
);
