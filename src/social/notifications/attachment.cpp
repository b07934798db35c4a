// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/notifications/attachment.hpp"

#include <map>

namespace notifications {

namespace {

const Attachment*& first() {
    static const Attachment* list = nullptr;
    return list;
}

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

// A year is its own id.
std::unordered_map<std::int64_t, std::string> years(
    db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids
) {
    std::unordered_map<std::int64_t, std::string> out;
    for (auto year : ids) out.emplace(year, R"({"year":")" + std::to_string(year) + "\"}");
    return out;
}

const Attachment annual_reports{Type::annual_report, years};

}  // namespace

Attachment::Attachment(Type its_type, Render how) : type(its_type), render(how), next(first()) {
    first() = this;
}

const Attachment* Attachment::all() { return first(); }

std::vector<Attached> attached(
    db::Read& db, const statuses::Audience& looker, const std::vector<Notification>& found
) {
    std::map<Type, std::vector<std::int64_t>> ids;
    for (const auto& n : found)
        if (n.about_id != 0) ids[n.type].push_back(n.about_id);
    std::map<Type, std::unordered_map<std::int64_t, std::string>> texts;
    for (auto* one = Attachment::all(); one; one = one->next)
        if (auto wanted = ids.find(one->type); wanted != ids.end())
            texts[one->type] = one->render(db, looker, wanted->second);
    std::vector<Attached> out(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        auto text = texts[found[i].type].find(found[i].about_id);
        std::optional<Raw> json;
        if (text != texts[found[i].type].end()) json = Raw{text->second};
        place(out[i], found[i].type, std::move(json));
    }
    return out;
}

}  // namespace notifications
