-- SPDX-License-Identifier: AGPL-3.0-or-later
-- What begins a name is looked up up to six letters: for a longer beginning than is kept, FTS5 reads every word with it.
DROP TABLE account_index;
CREATE VIRTUAL TABLE account_index USING fts5 (
    words, content = 'account_texts', content_rowid = 'account_id', columnsize = 0, prefix = '1 2 3 4 5 6',
    tokenize = "ascii tokenchars '_#'"
);
INSERT INTO account_index (account_index) VALUES ('rebuild');
