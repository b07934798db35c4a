// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/statuses/render/rendered_status.hpp"

#include "base/cache.hpp"
#include "base/text/html/html.hpp"
#include "social/filters/matching.hpp"
#include "social/labels/effects.hpp"

namespace statuses {

namespace {

// A text of a status: its warning, content, a poll option, or a media description.
struct Part {
    StatusId status_id;
    bool html = false;
    std::string text;
};
DESCRIBE(Part, status_id, html, text)

}  // namespace

// Local plain text is matched as it was typed; Markdown and remote content without markup. The table media
// belongs to media.
#define TEXT_PARTS(AMONG)                                                                       \
    "SELECT id AS status_id, FALSE AS html, spoiler_text AS text FROM statuses WHERE id " AMONG \
    " AND spoiler_text <> '' UNION ALL "                                                        \
    "SELECT id, NOT (local AND content_type = 'text/plain'), "                                  \
    "CASE WHEN local AND content_type = 'text/plain' THEN text ELSE content END "               \
    "FROM statuses WHERE id " AMONG                                                             \
    " UNION ALL "                                                                               \
    "SELECT status_id, FALSE, title FROM poll_options WHERE status_id " AMONG                   \
    " UNION ALL "                                                                               \
    "SELECT status_id, FALSE, description FROM media WHERE status_id " AMONG " AND description IS NOT NULL"

const db::Query<Part> text_parts_of_statuses{"text_parts_of_statuses", TEXT_PARTS("IN LIST($1)")};

namespace {

// `version` and `viewer` are stored as well, because the key is only a hash of them.
struct Decided {
    std::int64_t version = 0;
    AccountId viewer;
    std::int64_t filters_version = 0;
    filters::Outcome outcome;
};

base::Cache<Decided>& kept() {
    static base::Cache<Decided> cache(12 << 20);
    return cache;
}

base::VersionedKey key_of(StatusId id, std::int64_t version, const relationships::Relationships& relations) {
    base::VersionedKeyHash mix;
    auto of_viewer = mix({relations.self.value, relations.version});
    return {id.value, static_cast<std::int64_t>(mix({version, static_cast<std::int64_t>(of_viewer)}))};
}

// Recently read texts: a status that many listeners get at once is matched against the filters of each.
base::Cache<std::string>& read_of_late() {
    static base::Cache<std::string> cache(1 << 20);
    return cache;
}

using Texts = std::unordered_map<StatusId, std::string>;

Texts read_texts(db::Read& db, const std::vector<StatusId>& ids) {
    Texts texts;
    db.each(
        text_parts_of_statuses,
        [&](const Part& part) {
            auto& text = texts[part.status_id];
            if (!text.empty()) text += "\n\n";
            text += part.html ? base::text::plain_text(part.text) : part.text;
        },
        ids
    );
    return texts;
}

Texts texts_of(db::Read& db, const std::unordered_map<StatusId, std::int64_t>& versions) {
    Texts texts;
    std::vector<StatusId> unread;
    for (const auto& [id, version] : versions) {
        if (auto found = read_of_late().find({id.value, version})) texts[id] = *found;
        else unread.push_back(id);
    }
    if (unread.empty()) return texts;
    for (auto& [id, text] : read_texts(db, unread)) {
        if (db.is_committed())
            read_of_late().put(
                {id.value, versions.at(id)}, std::make_shared<const std::string>(text), text.size()
            );
        texts[id] = std::move(text);
    }
    return texts;
}

using Results = std::unordered_map<StatusId, std::string>;

Results matched_by_filters(db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts) {
    Results out;
    const auto& relations = *audience.relations;
    auto filters = filters::filters(db, relations.self, relations.version);
    if (filters->empty()) return out;
    std::unordered_map<StatusId, std::int64_t> open;  // versions of those that are not decided yet
    for (const auto& f : facts) {
        auto found = kept().find(key_of(f.original_id, f.original_version, relations));
        bool known = found && found->version == f.original_version && found->viewer == relations.self &&
                     found->filters_version == relations.version && found->outcome.until > audience.now;
        if (!known) open[f.original_id] = f.original_version;
        else if (found->outcome.json != "[]") out[f.original_id] = found->outcome.json;
    }
    if (open.empty()) return out;
    auto texts = filters->has_keywords() ? texts_of(db, open) : Texts{};
    for (const auto& [id, version] : open) {
        auto outcome = filters->match(id, texts[id], audience.now);
        if (outcome.json != "[]") out[id] = outcome.json;
        auto bytes = sizeof(Decided) + outcome.json.size();
        Decided decided{version, relations.self, relations.version, std::move(outcome)};
        if (db.is_committed())
            kept().put(
                key_of(id, version, relations), std::make_shared<const Decided>(std::move(decided)), bytes
            );
    }
    return out;
}

// Labels come after the viewer's own filters, except those that hide: some clients read only the first
// result.
void add_labels(
    db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts, Results& results
) {
    std::vector<labels::Posted> posts;
    posts.reserve(facts.size());
    for (const auto& f : facts) posts.push_back({f.original_id, f.original_account_id});
    const auto& relations = *audience.relations;
    for (const auto& [id, applying] : labels::applying(db, relations.self, relations.version, posts)) {
        auto text = labels::filter_results(applying);
        auto& known = results[id];
        const bool hides = applying.front().effect == labels::LabelEffect::hide;
        if (known.empty()) known = std::move(text);
        else if (hides) known.replace(0, 1, text.substr(0, text.size() - 1) + ",");
        else known.replace(known.size() - 1, 1, "," + text.substr(1));
    }
}

}  // namespace

Results filtered(db::Read& db, const Audience& audience, std::span<const VisibilityFacts> facts) {
    if (!audience.relations || facts.empty()) return {};
    auto out = matched_by_filters(db, audience, facts);
    add_labels(db, audience, facts, out);
    return out;
}

}  // namespace statuses
