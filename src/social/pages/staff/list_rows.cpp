// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/staff/list_rows.hpp"

#include <algorithm>
#include <functional>

namespace pages {

using instance::Severity, moderation::Fate, moderation::ListBatch, moderation::ListPreview,
    moderation::ListStep;

namespace {

constexpr std::size_t most_shown = 500;

std::string_view name_of(Fate fate) {
    switch (fate) {
        case Fate::added: return "New";
        case Fate::joined: return "Of another list, too";
        case Fate::own: return "The team has decided about it";
        case Fate::covered: return "A rule above is as strict";
        case Fate::excepted: break;
    }
    return "An exception";
}

bool is_at_work(const ListBatch& list) {
    return list.step != ListStep::applied && list.step != ListStep::undone;
}

}  // namespace

std::string_view name_of(Severity severity) {
    switch (severity) {
        case Severity::silence: return "Limited";
        case Severity::suspend: return "Blocked";
        case Severity::noop: break;
    }
    return "Noted";
}

Row row_of(const ListBatch& list) {
    Row row{list.name};
    row.states.push_back(is_at_work(list) ? "Under way" : list.is_undone() ? "taken back" : "Active");
    row.hint = day_of(list.created_at);
    row.facts = {
        {"Servers", std::to_string(list.domains)},
        {"Accounts", std::to_string(list.accounts)},
        {"Follows that end", std::to_string(list.following + list.followers)}
    };
    if (!list.is_undone() && !list.forgotten)
        row.forms.push_back(
            {server_lists_path + "/" + std::to_string(list.id.value) + "/undo", "Take back", {}, {}, "quiet"}
        );
    return row;
}

Row row_of(const moderation::PreviewedDomain& one) {
    Row row{one.domain};
    row.states.push_back(name_of(one.severity));
    if (one.reject_media) row.states.push_back("no media");
    if (one.reject_reports) row.states.push_back("no reports");
    if (one.fate != Fate::added) row.states.push_back(name_of(one.fate));
    if (one.accounts > 0) row.facts.push_back({"Accounts", std::to_string(one.accounts)});
    if (one.following + one.followers > 0)
        row.facts.push_back({"Follows that end", std::to_string(one.following + one.followers)});
    return row;
}

std::vector<Fact> facts_of(const ListPreview& preview) {
    return {
        {"New", std::to_string(preview.added)},
        {"Of another list, too", std::to_string(preview.joined)},
        {"The team has decided about it", std::to_string(preview.own)},
        {"A rule above is as strict", std::to_string(preview.covered)},
        {"An exception", std::to_string(preview.excepted)},
        {"Accounts", std::to_string(preview.accounts)},
        {"Follows that end", std::to_string(preview.following + preview.followers)},
        {"People here who lose some", std::to_string(preview.people)},
    };
}

std::vector<Panel> panels_of(ListPreview preview) {
    Panel losing{"Who loses most"};
    losing.rows.emplace();
    for (const auto& one : preview.losing_most) {
        Row row{"@" + one.username, account_page(one.account_id)};
        row.facts.push_back({"Follows that end", std::to_string(one.following + one.followers)});
        losing.rows->push_back(std::move(row));
    }
    Panel domains{"Servers"};
    domains.rows.emplace();
    // All of twenty thousand are nothing to read.
    std::ranges::stable_sort(preview.domains, std::greater(), [](const auto& one) {
        return one.following + one.followers;
    });
    for (const auto& one : preview.domains)
        if (domains.rows->size() < most_shown) domains.rows->push_back(row_of(one));
    for (const auto& line : preview.refused) {
        if (domains.rows->size() == most_shown) break;
        Row row{line.text};
        row.states.push_back("Refused");
        row.hint = line.reason;
        domains.rows->push_back(std::move(row));
    }
    return {std::move(losing), std::move(domains)};
}

}  // namespace pages
