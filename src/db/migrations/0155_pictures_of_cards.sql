-- SPDX-License-Identifier: AGPL-3.0-or-later
-- statuses: which previews of links show a picture that is to go.
CREATE INDEX preview_cards_by_image ON preview_cards (image) WHERE image <> '';
