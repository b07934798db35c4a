// SPDX-License-Identifier: AGPL-3.0-or-later
// A post as the team finds it, and its labels. Words that not everybody may read are shown with a report alone.
#include "social/moderation/labels/label_act.hpp"
#include "social/pages/staff/sheet.hpp"

#include <algorithm>

namespace pages {
namespace {

using base::StatusId;

// For whoever may label it.
const std::int64_t posts_of = moderation::permissions_to_label(labels::BearerKind::status);

const StaffPart& part_of(const Member& who) {
    return who.actor.may(reports_part.any_of) ? reports_part : accounts_part;
}

Panel post_panel(db::Read& db, const Member& who, const statuses::Status& one) {
    Panel out;
    out.posts_lead_on = false;
    out.facts.push_back({"Account", "@" + handles(db, {one.account_id})[one.account_id]});
    const auto viewer = statuses::nobody(db);
    auto facts = statuses::visibility_facts(db, viewer, {one.id});
    std::erase_if(facts, [&](const auto& fact) { return !statuses::visible(fact, viewer); });
    if (facts.empty())
        out.hint = "Not everybody may read this post: its words are shown with a report alone.";
    else out.posts = shown_to_all(db, facts);
    if (who.actor.may(accounts_part.any_of))
        out.link = {account_page(one.account_id), "The account, as the team sees it"};
    return out;
}

// Those it bears itself, and those that it may get.
Panel labels_panel(db::Read& db, StatusId id) {
    Panel out{"Labels"};
    const auto borne = labels::labels_on(db, labels::Bearer::of(id));
    Field choice{Field::Kind::list, "label", "Add"};
    out.rows.emplace();
    for (const auto& one : labels::all_labels(db)) {
        const auto number = std::to_string(one.id.value);
        if (std::ranges::find(borne, one.id) == borne.end()) {
            choice.options.push_back({number, {}, one.name});
            continue;
        }
        Row row{one.name};
        row.facts.push_back({"What people read", one.title});
        row.forms.push_back({post_page(id) + "/labels/remove", "Remove", {}, {{"label", number}}, "quiet"});
        out.rows->push_back(std::move(row));
    }
    if (!choice.options.empty())
        out.forms.push_back({post_page(id) + "/labels", "Save", {choice}, {}, "quiet"});
    return out;
}

// Of a boost, what it shows bears the labels.
statuses::Status post(db::Read& db, StatusId id) {
    auto found = statuses::find_status(db, id);
    if (found && statuses::original_of(*found) != id)
        found = statuses::find_status(db, statuses::original_of(*found));
    if (!found) throw base::NotFound();
    return *std::move(found);
}

http::Response page_of(
    db::Read& db, const http::Request& request, const Member& who, StatusId id, std::string_view problem = {}
) {
    const auto one = post(db, id);
    return sheet(
        db, request, who, part_of(who), "Post", {post_panel(db, who, one), labels_panel(db, one.id)}, problem
    );
}

struct ById {
    StatusId id;
};
DESCRIBE(ById, id)

http::Response look(db::Read& db, const http::Request& request, const ById& path) {
    auto who = member(db, request, posts_of);
    return who.answer() ? *who.answer() : page_of(db, request, who, path.id);
}

struct LabelForm {
    std::int64_t label = 0;
    std::string authenticity_token;
};
DESCRIBE(LabelForm, label, authenticity_token)

using Act = void (*)(db::Write&, const accounts::Actor&, labels::LabelId, const labels::Bearer&);

template <Act F>
http::Response label(db::Write& db, const http::Request& request, const ById& path, const LabelForm& form) {
    auto who = member(db, request, posts_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    const auto id = post(db, path.id).id;
    auto refused = [&](std::string_view why) { return page_of(db, request, who, id, why); };
    return tried(post_page(id), F == moderation::put_label ? added : removed, refused, [&] {
        F(db, who.actor, labels::LabelId{form.label}, labels::Bearer::of(id));
    });
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                           ("/settings/moderation/posts/:id"),
    http::post<label<moderation::put_label>>  ("/settings/moderation/posts/:id/labels"),
    http::post<label<moderation::take_label>> ("/settings/moderation/posts/:id/labels/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> staff_post_pages() { return table; }

}  // namespace pages
