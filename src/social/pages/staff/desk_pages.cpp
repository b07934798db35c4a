// SPDX-License-Identifier: AGPL-3.0-or-later
// The desk of the team, and the sign-ups that wait.
#include "http/route.hpp"
#include "social/media/hashes/quarantine.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/account_list.hpp"
#include "social/moderation/cases/case.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/pages/staff/staff_page.hpp"
#include "social/rules/held.hpp"

#include <functional>

namespace pages {
namespace {

constexpr int a_page = 20;
const std::string sign_ups_path = address_of(sign_ups_part);

std::vector<base::AccountId> waiting(db::Read& db, const base::Range& range) {
    moderation::AccountFilter filter;
    filter.origin = moderation::AccountOrigin::local;
    filter.state = moderation::AccountState::pending;
    return moderation::find_accounts(db, filter, range);
}

// Counting all would read them all: where there are many, it matters little how many.
std::string some(std::int64_t found) {
    return found > a_page ? std::to_string(a_page) + "+" : std::to_string(found);
}

http::Response look_at_desk(db::Read& db, const http::Request& request) {
    std::int64_t any = 0;
    for (const auto& part : staff_parts) any |= part.any_of;
    auto who = member(db, request, any);
    if (who.answer()) return *who.answer();
    instance::View view;
    base::Range first;
    first.limit = a_page + 1;
    auto row =
        [&](const StaffPart& part, std::string_view hint, const std::function<std::int64_t()>& count = {}) {
            if (!who.actor.may(part.any_of)) return;
            auto& shown = view.add("ROW").say("NAME", part.name).say("HINT", hint);
            shown.set("URL", address_of(part));
            if (count) shown.add("COUNTED").set("COUNT", some(count()));
        };
    row(cases_part, "What has to be decided, the most urgent first", [&] {
        return moderation::count_waiting_cases(db, who.actor.account, first.limit);
    });
    row(reports_part, "What people told the team of", [&] {
        return moderation::count_open_reports(db, first.limit);
    });
    row(held_part, "What rules hold back until somebody looks", [&] {
        return std::ssize(rules::held_posts(db, first));
    });
    row(sign_ups_part, "Who waits to be let in", [&] { return std::ssize(waiting(db, first)); });
    row(accounts_part, "Find somebody, look what is known of them, and act");
    row(appeals_part, "Who says that a decision was wrong", [&] {
        return std::ssize(moderation::appeals(db, moderation::AppealState::pending, first));
    });
    row(rules_part, "What posts have to be like, and what is done then");
    row(words_part, "Words, domains and hashtags that rules have in common");
    row(pictures_part, "Lists of pictures that must not be here, and what was found", [&] {
        return std::ssize(media::quarantined(db, first, media::QuarantineState::held));
    });
    row(labels_part, "What posts, people and servers are marked with");
    row(trends_part, "Hashtags, links and posts that many share");
    row(servers_part, "Other servers that are limited or blocked");
    row(lists_part, "Many servers at once, with what it would do and a way back");
    row(relays_part, "Servers that hand round the posts of others");
    row(blocks_part, "Mail providers, addresses, networks and names");
    row(emojis_part, "Small pictures that posts can hold");
    row(invites_part, "Addresses by which people may sign up");
    row(announcements_part, "What everybody here should know");
    row(presets_part, "Texts for warnings, written once");
    row(house_rules_part, "What everybody here agrees to");
    row(site_part, "Who may come, what visitors see, and the texts of the site");
    row(roles_part, "What the members of the team may do");
    row(webhooks_part, "Programs that are told what happens here");
    row(audit_part, "Who of the team did what");
    row(health_part, "What is wrong with it, and why it is slow");
    row(transparency_part, "What the team did, in numbers that can be published");
    return staff_page(db, request, who, nullptr, "staff_desk", "Moderation", {}, std::move(view));
}

// ---- sign-ups ----

struct ListForm {
    std::optional<std::int64_t> max_id;
};
DESCRIBE(ListForm, max_id)

http::Response sign_ups(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, sign_ups_part.any_of);
    if (who.answer()) return *who.answer();
    base::Range range;
    range.limit = a_page;
    if (form.max_id) range.below = *form.max_id;
    auto ids = waiting(db, range);
    instance::View view;
    view.show_if(ids.empty(), "NONE");
    for (const auto& person : moderation::admin_accounts(db, ids)) {
        auto& shown = view.add("SIGN_UP");
        shown.set("ID", std::to_string(person.id.value))
            .set("HANDLE", person.username)
            .set("EMAIL", person.email.value_or(""))
            .set("DAY", day_of(person.created_at));
        shown.show_if(!person.confirmed.value_or(false), "UNCONFIRMED");
        if (person.ip) shown.add("FROM").set("ADDRESS", *person.ip);
        if (person.invite_request && !person.invite_request->empty())
            shown.add("REASON").set("TEXT", *person.invite_request);
    }
    if (ids.size() == a_page)
        view.add("OLDER").set("URL", sign_ups_path + "?max_id=" + std::to_string(ids.back().value));
    return staff_page(db, request, who, &sign_ups_part, "staff_sign_ups", "Sign-ups", {}, std::move(view));
}

struct Decision {
    base::AccountId id;
    std::string authenticity_token;
};
DESCRIBE(Decision, id, authenticity_token)

template <void (*F)(db::Write&, const accounts::Actor&, base::AccountId), const char* What>
http::Response decide(db::Write& db, const http::Request& request, const Decision& form) {
    auto who = member(db, request, sign_ups_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    F(db, who.actor, form.id);
    return done(sign_ups_path, What);
}

// ---- where apps lead the team ----

using ThingId = base::Id<struct ThingTag>;
struct ByNumber {
    ThingId id;
};
DESCRIBE(ByNumber, id)

http::Response to_desk(db::Read&) { return oauth::redirect("/settings/moderation"); }

template <const StaffPart& Part>
http::Response to_list(db::Read&) {
    return oauth::redirect(address_of(Part));
}

template <const StaffPart& Part>
http::Response to_one(db::Read&, const ByNumber& path) {
    return oauth::redirect(address_of(Part) + "/" + std::to_string(path.id.value));
}

constexpr char approved[] = "approved", rejected[] = "rejected";

// clang-format off
constexpr http::Route table[] = {
    http::get<look_at_desk>                              ("/settings/moderation"),
    http::get<sign_ups>                                  ("/settings/moderation/sign_ups"),
    http::post<decide<moderation::approve, approved>>    ("/settings/moderation/sign_ups/:id/approve"),
    http::post<decide<moderation::reject, rejected>>     ("/settings/moderation/sign_ups/:id/reject"),
    http::get<to_desk>                                   ("/admin"),
    http::get<to_desk>                                   ("/admin/dashboard"),
    http::get<to_list<reports_part>>                     ("/admin/reports"),
    http::get<to_one<reports_part>>                      ("/admin/reports/:id"),
    http::get<to_list<accounts_part>>                    ("/admin/accounts"),
    http::get<to_one<accounts_part>>                     ("/admin/accounts/:id"),
};
// clang-format on

}  // namespace

std::span<const http::Route> desk_pages() { return table; }

}  // namespace pages
