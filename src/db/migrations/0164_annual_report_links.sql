-- SPDX-License-Identifier: AGPL-3.0-or-later
-- discovery: what makes the address of an annual report one that nobody guesses; only its owner is told of it.
ALTER TABLE annual_reports ADD COLUMN share_key TEXT;
