// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/attachment.hpp"

#include <map>
#include <stdexcept>

namespace notifications {

namespace {

std::span<const Attachment> table;

using base::json::Raw;

void place(Attached& members, Type type, std::optional<Raw> json) {
    switch (type) {
        case Type::admin_report: members.report = std::move(json); break;
        case Type::severed_relationships: members.event = std::move(json); break;
        case Type::moderation_warning: members.moderation_warning = std::move(json); break;
        case Type::annual_report: members.annual_report = std::move(json); break;
        case Type::added_to_collection:
        case Type::collection_update: members.collection.value.emplace(std::move(json)); break;
        default: break;
    }
}

}  // namespace

void use_attachments(std::span<const Attachment> all) { table = all; }

JsonById render_years(db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids) {
    JsonById out;
    for (auto year : ids) out.emplace(year, R"({"year":")" + std::to_string(year) + "\"}");
    return out;
}

std::vector<Attached> attached(
    db::Read& db, const statuses::Audience& viewer, const std::vector<Notification>& found
) {
    std::map<Type, std::vector<std::int64_t>> ids;
    for (const auto& n : found)
        if (n.about_id != 0) ids[n.type].push_back(n.about_id);
    if (table.empty()) throw std::logic_error("use_attachments() was not called");
    if (ids.empty()) return {};
    std::vector<Attached> out(found.size());
    std::map<Type, JsonById> texts;
    for (const auto& one : table)
        if (auto wanted = ids.find(one.type); wanted != ids.end())
            texts[one.type] = one.render(db, viewer, wanted->second);
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto text = texts[found[i].type].find(found[i].about_id);
        std::optional<Raw> json;
        if (text != texts[found[i].type].end()) json = Raw{text->second};
        place(out[i], found[i].type, std::move(json));
    }
    return out;
}

}  // namespace notifications
