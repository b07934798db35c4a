-- SPDX-License-Identifier: AGPL-3.0-or-later
CREATE FUNCTION refuse_to_change_audit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is never changed';
END
$$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_audit();
