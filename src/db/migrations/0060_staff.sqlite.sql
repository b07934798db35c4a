-- SPDX-License-Identifier: AGPL-3.0-or-later
CREATE TRIGGER audit_entries_do_not_change BEFORE UPDATE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'the audit log is never changed');
END;
CREATE TRIGGER audit_entries_stay BEFORE DELETE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'the audit log is never changed');
END;
