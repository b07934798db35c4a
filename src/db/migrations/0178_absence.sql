-- SPDX-License-Identifier: AGPL-3.0-or-later
-- accounts: whether somebody was not here for so long that their home is not kept (docs/decisions/0080-homes-of-people-away.md).
ALTER TABLE users ADD COLUMN away BOOLEAN NOT NULL DEFAULT FALSE;
