-- SPDX-License-Identifier: AGPL-3.0-or-later
-- relationships: whose follows they were is known by the event, so that each follow that ends writes one index less.
DROP INDEX severed_follows_of;
