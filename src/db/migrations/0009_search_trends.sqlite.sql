-- SPDX-License-Identifier: AGPL-3.0-or-later
-- The texts are split and folded already: the tokenizer only cuts at spaces. `#` opens a hashtag, `_` a mark.
CREATE VIRTUAL TABLE status_index USING fts5 (
    words, content = 'status_texts', content_rowid = 'status_id', columnsize = 0, tokenize = "ascii tokenchars '_#'"
);
CREATE TRIGGER status_texts_added AFTER INSERT ON status_texts BEGIN
    INSERT INTO status_index (rowid, words) VALUES (new.status_id, new.words);
END;
CREATE TRIGGER status_texts_removed AFTER DELETE ON status_texts BEGIN
    INSERT INTO status_index (status_index, rowid, words) VALUES ('delete', old.status_id, old.words);
END;
CREATE TRIGGER status_texts_changed AFTER UPDATE ON status_texts BEGIN
    INSERT INTO status_index (status_index, rowid, words) VALUES ('delete', old.status_id, old.words);
    INSERT INTO status_index (rowid, words) VALUES (new.status_id, new.words);
END;

CREATE VIRTUAL TABLE account_index USING fts5 (
    words, content = 'account_texts', content_rowid = 'account_id', columnsize = 0, prefix = '1 2 3',
    tokenize = "ascii tokenchars '_#'"
);
CREATE TRIGGER account_texts_added AFTER INSERT ON account_texts BEGIN
    INSERT INTO account_index (rowid, words) VALUES (new.account_id, new.words);
END;
CREATE TRIGGER account_texts_removed AFTER DELETE ON account_texts BEGIN
    INSERT INTO account_index (account_index, rowid, words) VALUES ('delete', old.account_id, old.words);
END;
CREATE TRIGGER account_texts_changed AFTER UPDATE ON account_texts BEGIN
    INSERT INTO account_index (account_index, rowid, words) VALUES ('delete', old.account_id, old.words);
    INSERT INTO account_index (rowid, words) VALUES (new.account_id, new.words);
END;
