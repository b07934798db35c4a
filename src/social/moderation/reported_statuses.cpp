// SPDX-License-Identifier: AGPL-3.0-or-later
// What was reported, as moderators read it: whatever its visibility, also when it is deleted. Where words and media went with
// an account, those of the evidence stand in their place.
#include "base/json_read.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

namespace moderation {

namespace {

namespace json = boost::json;

json::array media_of(const EvidenceWords& words) {
    json::array out;
    for (const auto& m : words.media)
        out.push_back(json::object{
            {"id", std::to_string(m.id.value)},
            {"type", m.type.empty() ? "unknown" : m.type},
            {"url", nullptr},
            {"preview_url", nullptr},
            {"remote_url", nullptr},
            {"preview_remote_url", nullptr},
            {"text_url", nullptr},
            {"meta", nullptr},
            {"description", m.description},
            {"blurhash", nullptr},
        });
    return out;
}

// The newest version that was copied.
const EvidenceVersion* newest_of(const std::vector<EvidenceVersion>& versions, StatusId id) {
    const EvidenceVersion* found = nullptr;
    for (const auto& version : versions)
        if (version.status == id) found = &version;
    return found;
}

std::string restored(const std::string& text, const EvidenceWords& words) {
    auto value = base::json::parse(text);
    auto& status = value.as_object();
    status["content"] = words.content;
    status["spoiler_text"] = words.spoiler_text;
    status["sensitive"] = words.sensitive;
    if (status["media_attachments"].as_array().empty()) status["media_attachments"] = media_of(words);
    return json::serialize(value);
}

std::set<StatusId> ids_of(const std::vector<statuses::VisibilityFacts>& facts) {
    std::set<StatusId> out;
    for (const auto& f : facts) out.insert(f.id);
    return out;
}

}  // namespace

std::vector<std::string> reported_statuses(
    db::Read& db, const std::vector<AdminReportRow>& rows, AccountId moderator
) {
    std::vector<std::vector<StatusId>> named;
    std::vector<StatusId> all;
    for (const auto& row : rows) {
        named.push_back(base::json::read<std::vector<StatusId>>(row.status_ids));
        all.insert(all.end(), named.back().begin(), named.back().end());
    }
    std::vector<std::string> out(rows.size(), "[]");
    if (all.empty()) return out;
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    auto viewer = moderator ? statuses::audience(db, moderator) : statuses::nobody(db);
    auto facts = statuses::visibility_facts(db, viewer, all);
    auto deleted = statuses::deleted_visibility_facts(db, viewer, all);
    const std::set<StatusId> gone = ids_of(deleted);
    facts.insert(facts.end(), deleted.begin(), deleted.end());
    for (auto& f : facts) f.gone = false;  // a suspended author hides nothing from moderators
    auto texts = statuses::json_each(db, viewer, facts);
    std::map<StatusId, std::string> text_of;
    for (std::size_t i = 0; i < facts.size(); ++i) text_of[facts[i].id] = std::move(texts[i]);
    std::vector<ReportId> with_deleted;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (std::ranges::any_of(named[i], [&](auto id) { return gone.contains(id); }))
            with_deleted.push_back(rows[i].id);
    auto kept = versions_of(db, with_deleted);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::ranges::sort(named[i], std::greater());
        std::string list;
        for (auto id : named[i]) {
            auto found = text_of.find(id);
            if (found == text_of.end() || found->second.empty()) continue;
            auto* version = gone.contains(id) ? newest_of(kept[rows[i].id], id) : nullptr;
            (list += list.empty() ? "" : ",") +=
                version ? restored(found->second, version->words) : found->second;
        }
        out[i] = "[" + list + "]";
    }
    return out;
}

}  // namespace moderation
