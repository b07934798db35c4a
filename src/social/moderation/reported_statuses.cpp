// SPDX-License-Identifier: AGPL-3.0-or-later
// What was reported, as moderators read it: whatever its visibility, also when it is deleted. Where words and media went with
// an account, those of the evidence stand in their place.
#include "base/json_read.hpp"
#include "social/moderation/evidence.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <algorithm>
#include <boost/json.hpp>

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
const EvidenceVersion* newest_of(const Evidence& evidence, StatusId id) {
    const EvidenceVersion* found = nullptr;
    for (const auto& version : evidence.versions)
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

}  // namespace

std::string reported_statuses(db::Read& db, const AdminReportRow& row, AccountId moderator) {
    auto ids = base::json::read<std::vector<StatusId>>(row.status_ids);
    if (ids.empty()) return "[]";
    auto viewer = moderator ? statuses::audience(db, moderator) : statuses::nobody(db);
    auto facts = statuses::visibility_facts(db, viewer, ids);
    auto living = facts.size();
    auto deleted = statuses::deleted_visibility_facts(db, viewer, ids);
    facts.insert(facts.end(), deleted.begin(), deleted.end());
    for (auto& f : facts) f.gone = false;  // a suspended author hides nothing from moderators
    auto kept = deleted.empty() ? Evidence{} : evidence(db, row.id);
    auto texts = statuses::json_each(db, viewer, facts);
    std::vector<std::pair<StatusId, std::string>> found;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        auto* version = i < living ? nullptr : newest_of(kept, facts[i].id);
        if (!texts[i].empty())
            found.emplace_back(facts[i].id, version ? restored(texts[i], version->words) : texts[i]);
    }
    std::ranges::sort(found, std::greater(), &std::pair<StatusId, std::string>::first);
    std::string out = "[";
    for (const auto& [id, text] : found) (out += out.size() > 1 ? "," : "") += text;
    return out + "]";
}

}  // namespace moderation
