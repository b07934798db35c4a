-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses. `quote_approval`: who may quote a status of another server, as statuses/quote_approval.hpp says; 0: it does
-- not tell. `checked_at`: when the stamp of a quote was last seen.
ALTER TABLE statuses ADD COLUMN quote_approval BIGINT NOT NULL DEFAULT 0;
ALTER TABLE quotes ADD COLUMN checked_at BIGINT NOT NULL DEFAULT 0;
