-- SPDX-License-Identifier: AGPL-3.0-or-later
-- Tables, columns and jobs are called what the code calls them. No node of an older version may run meanwhile.
ALTER TABLE email_letters_due RENAME TO email_digests_due;
ALTER TABLE likes_besides RENAME TO additional_reactions;
ALTER TABLE status_texts_due RENAME TO status_index_queue;
ALTER TABLE quotes RENAME COLUMN stamp TO authorization_uri;
ALTER TABLE remote_statuses RENAME COLUMN stamp TO authorization_uri;
ALTER TABLE remote_statuses RENAME COLUMN told_at TO reported_at;
ALTER TABLE collection_items RENAME COLUMN stamp TO authorization_uri;
ALTER TABLE hosts RENAME COLUMN knock TO signature_scheme;

-- jobs: rows that wait are done under the names of today, and read with the members of today.
UPDATE jobs SET kind = 'continue_fan_out' WHERE kind = 'fan_out_rest';
UPDATE jobs SET kind = 'notify_more_subscribers' WHERE kind = 'tell_subscribers_left';
UPDATE jobs SET kind = 'check_quote_authorization' WHERE kind = 'look_at_stamp';
UPDATE jobs SET kind = 'check_new_quote_authorization' WHERE kind = 'look_at_new_stamp';
UPDATE jobs SET kind = 'continue_forgetting_status' WHERE kind = 'forget_status_left';
UPDATE jobs SET kind = 'notify_more_rebloggers' WHERE kind = 'tell_rebloggers_left';
UPDATE jobs SET kind = 'notify_more_quoters' WHERE kind = 'tell_quoters_left';
UPDATE jobs SET kind = 'notify_more_voters' WHERE kind = 'tell_voters_left';
UPDATE jobs SET kind = 'continue_clearing_notifications' WHERE kind = 'clear_notifications_left';
UPDATE jobs SET kind = 'release_filtered' WHERE kind = 'let_in_accepted';
UPDATE jobs SET kind = 'remove_filtered' WHERE kind = 'remove_held';
UPDATE jobs SET kind = 'continue_indexing_account' WHERE kind = 'index_account_left';
UPDATE jobs SET kind = 'notify_severances' WHERE kind = 'tell_severances';
UPDATE jobs SET kind = 'continue_forgetting_domain' WHERE kind = 'forget_domain_left';
UPDATE jobs SET kind = 'begin_digests' WHERE kind = 'begin_letters';
UPDATE jobs SET kind = 'mail_digest' WHERE kind = 'mail_letter';
UPDATE jobs SET kind = 'deliver_gone' WHERE kind = 'tell_servers_gone';
UPDATE jobs SET kind = 'deliver_moved' WHERE kind = 'tell_servers_moved';
UPDATE jobs SET kind = 'request_quote_authorization' WHERE kind = 'ask_leave_to_quote';
UPDATE jobs SET kind = 'deliver_quote_revoked' WHERE kind = 'tell_servers_quote_revoked';
UPDATE jobs SET kind = 'deliver_feature_revoked' WHERE kind = 'tell_servers_feature_revoked';
UPDATE jobs SET kind = 'write_status_activity' WHERE kind = 'write_told';
UPDATE jobs SET kind = 'fan_out_activity' WHERE kind = 'spread';
UPDATE jobs SET payload = replace(payload, '"deed":', '"kind":') WHERE kind = 'write_status_activity';
UPDATE jobs SET payload = replace(payload, '"steps":', '"groups":') WHERE kind = 'fan_out_activity';
UPDATE jobs SET payload = replace(payload, '"stamp":', '"authorization_uri":') WHERE kind = 'check_new_quote_authorization';
