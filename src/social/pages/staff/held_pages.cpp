// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts that rules hold back: they are published, or removed, which can be taken back for a week.
#include "base/text/html/html.hpp"
#include "social/pages/staff/sheet.hpp"
#include "social/rules/held.hpp"

namespace pages {
namespace {

constexpr int a_page = 20;
const std::string held_path = address_of(held_part);

Row row_of(const rules::HeldPost& post, bool aside) {
    Row row{"@" + post.acct};
    row.hint = minute_of(post.created_at);
    row.facts.push_back({"Visibility", std::string(base::word(post.visibility))});
    if (post.mentions > 0) row.facts.push_back({"Mentions", std::to_string(post.mentions)});
    if (!post.media.empty()) row.facts.push_back({"Media", std::to_string(post.media.size())});
    if (post.until && !aside)
        row.facts.push_back(
            {post.drops ? "Is removed by itself" : "Is published by itself", minute_of(*post.until)}
        );
    auto text = base::text::plain_text(post.content);
    row.more = post.spoiler_text.empty() ? text : post.spoiler_text + "\n\n" + text;
    for (const auto& file : post.media) row.more += "\n" + file;
    auto where = held_path + "/" + std::to_string(post.id.value);
    if (aside) {
        row.forms = {{where + "/take_up", "Take back", {}, {}, "quiet"}};
        return row;
    }
    row.forms = {
        {where + "/release", "Publish", {}, {}, "quiet"}, {where + "/set_aside", "Remove", {}, {}, "negative"}
    };
    return row;
}

Panel panel_of(const std::vector<rules::HeldPost>& posts, bool aside) {
    Panel out;
    out.rows.emplace();
    for (const auto& post : posts) out.rows->push_back(row_of(post, aside));
    return out;
}

struct FromBoth {
    std::optional<std::int64_t> max_id, removed;
};
DESCRIBE(FromBoth, max_id, removed)

http::Response look(db::Read& db, const http::Request& request, const FromBoth& form) {
    auto who = member(db, request, held_part.any_of);
    if (who.answer()) return *who.answer();
    auto waiting = rules::held_posts(db, From{form.max_id}.range(a_page));
    auto first = panel_of(waiting, false);
    first.hint = "Nobody but their authors sees them.";
    first.older = older(held_path, waiting, a_page);
    auto gone = rules::held_posts(db, From{form.removed}.range(a_page), true);
    auto second = panel_of(gone, true);
    second.older = older(held_path, gone, a_page, "removed");
    second.title = "Removed in the last seven days";
    return sheet(db, request, who, held_part, "Held posts", {first, second});
}

template <auto Act, const char* What>
constexpr auto on_one = act_on<held_part, Act, rules::HeldId, What>;

// clang-format off
constexpr http::Route table[] = {
    http::get<look>                                   ("/settings/moderation/held"),
    http::post<on_one<rules::release_held, published>>("/settings/moderation/held/:id/release"),
    http::post<on_one<rules::set_aside_held, removed>>("/settings/moderation/held/:id/set_aside"),
    http::post<on_one<rules::take_up_held, undone>>   ("/settings/moderation/held/:id/take_up"),
};
// clang-format on

}  // namespace

std::span<const http::Route> held_pages() { return table; }

}  // namespace pages
