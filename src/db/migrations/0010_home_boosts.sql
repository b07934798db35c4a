-- SPDX-License-Identifier: AGPL-3.0-or-later
-- timelines: the boosts in a home by what they boost, so that reading sees at once whether one may repeat.
CREATE INDEX home_boosts ON home_entries (account_id, original_id) WHERE original_id <> status_id;
