-- SPDX-License-Identifier: AGPL-3.0-or-later
-- labels: words that staff, rules and lists put on accounts, posts and servers. `effect`: what becomes of posts that bear one, for
-- who has not chosen otherwise: none, warn, hide.
CREATE TABLE site_labels (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    effect TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX site_labels_by_name ON site_labels (name);
-- labels: what bears one. `subject`: account, status (both by `subject_id`) or server (by `domain`, with all below it; 0 and '' where
-- it is the other). `source`: staff (0: the operator), rule or list, with the number of whoever it was.
CREATE TABLE label_uses (
    id BIGINT PRIMARY KEY,
    label_id BIGINT NOT NULL,
    subject TEXT NOT NULL,
    subject_id BIGINT NOT NULL,
    domain TEXT NOT NULL,
    source TEXT NOT NULL,
    source_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX label_uses_by_subject ON label_uses (subject, subject_id, domain, label_id);
CREATE INDEX label_uses_by_label ON label_uses (label_id, id);
CREATE INDEX label_uses_by_source ON label_uses (source, source_id);
-- labels: what a person wants of a label, where it is not what the label says.
CREATE TABLE label_choices (
    account_id BIGINT NOT NULL,
    label_id BIGINT NOT NULL,
    effect TEXT NOT NULL,
    PRIMARY KEY (account_id, label_id)
)/*sqlite: WITHOUT ROWID*/;
CREATE INDEX label_choices_by_label ON label_choices (label_id);
-- What rules have noted about accounts until now becomes labels that nobody sees an effect of. The table `labels` is used no more.
INSERT INTO site_labels (id, name, title, effect, created_at, updated_at)
SELECT row_number() OVER (ORDER BY label), label, label, 'none', min(created_at), min(created_at) FROM labels GROUP BY label;
INSERT INTO label_uses (id, label_id, subject, subject_id, domain, source, source_id, created_at)
SELECT row_number() OVER (ORDER BY o.account_id, o.label), l.id, 'account', o.account_id, '', 'rule', o.rule_id, o.created_at
FROM labels o JOIN site_labels l ON l.name = o.label;
INSERT INTO settings (name, value) SELECT 'labels_version', '1' WHERE EXISTS (SELECT 1 FROM site_labels);
DELETE FROM labels;
