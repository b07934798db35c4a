-- SPDX-License-Identifier: AGPL-3.0-or-later
-- moderation: when what a strike did to the account ended, though nobody overruled it. Of those of before it is not known when: what
-- is not in force now, or began after the strike, is not what the strike did.
ALTER TABLE strikes ADD COLUMN lifted_at BIGINT;
UPDATE strikes SET lifted_at = created_at
    WHERE action = 'disable' AND account_id NOT IN (SELECT account_id FROM users WHERE disabled = TRUE);
UPDATE strikes SET lifted_at = created_at
    WHERE action = 'sensitive'
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = strikes.account_id AND a.sensitized_at <= strikes.created_at);
UPDATE strikes SET lifted_at = created_at
    WHERE action = 'silence'
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = strikes.account_id AND a.silenced_by = ''
                                                 AND a.silenced_at <= strikes.created_at);
UPDATE strikes SET lifted_at = created_at
    WHERE action = 'suspend'
      AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = strikes.account_id AND a.suspended_by = ''
                                                 AND a.suspended_at <= strikes.created_at);
