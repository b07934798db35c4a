-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses. In which order an account chose: from 0. Of older votes it is not known.
ALTER TABLE poll_votes ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
