-- SPDX-License-Identifier: AGPL-3.0-or-later
-- rules: by which rule a strike came about, when an appeal against it is approved.
CREATE INDEX rule_hits_struck ON rule_hits (strike_id) WHERE strike_id <> 0;
