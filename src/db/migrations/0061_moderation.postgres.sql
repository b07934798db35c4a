-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Beginnings of names and addresses, byte by byte.
CREATE INDEX users_by_email_bytes ON users (email COLLATE "C");
CREATE INDEX accounts_by_name_bytes ON accounts (lower(username) COLLATE "C");
