// SPDX-License-Identifier: AGPL-3.0-or-later
// What people say against decisions of the team, and what is decided about that.
#include "base/json_read.hpp"
#include "http/route.hpp"
#include "social/moderation/strike.hpp"
#include "social/pages/shown.hpp"
#include "social/pages/staff/acting.hpp"
#include "social/pages/staff/staff_page.hpp"

#include <algorithm>

namespace pages {
namespace {

using instance::View, moderation::Appeal, moderation::AppealState;

constexpr int a_page = 20;
const std::string appeals_path = address_of(appeals_part);

struct ListForm {
    std::optional<std::int64_t> max_id;
};
DESCRIBE(ListForm, max_id)

// Who decided, as somebody else should look at it, if there is one.
class Deciders {
public:
    Deciders(db::Read& db, const Member& who, const std::vector<moderation::Strike>& strikes)
        : me_(who.actor.account), alone_(accounts::staff_who_may(db, appeals_part.any_of).size() < 2) {
        std::vector<base::AccountId> people;
        for (const auto& one : strikes) {
            by_.emplace(one.id, one.actor_id);
            people.push_back(one.actor_id);
        }
        names_ = handles(db, people);
    }
    void add(View& shown, moderation::StrikeId id) const {
        const auto by = by_.at(id);
        if (const auto known = names_.find(by); known != names_.end())
            shown.add("DECIDED").set("BY", known->second);
        shown.show_if(by == me_ && !alone_, "OWN");
    }

private:
    base::AccountId me_;
    bool alone_;
    std::map<moderation::StrikeId, base::AccountId> by_;
    std::map<base::AccountId, std::string> names_;
};

void add_strike(View& shown, const moderation::StrikeEntity& strike) {
    auto who = base::json::read<ShownAuthor>(strike.target_account.text);
    shown.say("WHAT", name_of(strike.action)).set("HANDLE", who.acct).set("ON", day_of(strike.created_at));
    if (!strike.text.empty()) shown.add("SAID").set("WORDS", strike.text);
}

http::Response list(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, appeals_part.any_of);
    if (who.answer()) return *who.answer();
    base::Range range;
    range.limit = a_page;
    if (form.max_id) range.below = *form.max_id;
    auto rows = moderation::appeals(db, AppealState::pending, range);
    std::vector<moderation::StrikeId> ids;
    for (const auto& row : rows) ids.push_back(row.strike_id);
    const auto decided = moderation::strikes(db, ids);
    auto strikes = moderation::entities(db, decided);
    const Deciders deciders(db, who, decided);
    View view;
    view.show_if(rows.empty(), "NONE");
    for (const auto& row : rows) {
        auto about = std::ranges::find(strikes, row.strike_id, &moderation::StrikeEntity::id);
        if (about == strikes.end()) continue;
        auto& shown = view.add("APPEAL");
        add_strike(shown, *about);
        deciders.add(shown, row.strike_id);
        shown.set("ID", std::to_string(row.id.value))
            .set("TEXT", row.text)
            .set("DAY", day_of(row.created_at));
        if (who.actor.may(accounts_part.any_of))
            shown.add("ACCOUNT").set("URL", account_page(row.account_id));
    }
    if (rows.size() == a_page)
        view.add("OLDER").set("URL", appeals_path + "?max_id=" + std::to_string(rows.back().id.value));
    return staff_page(db, request, who, &appeals_part, "staff_appeals", "Appeals", {}, std::move(view));
}

struct Decision {
    moderation::AppealId id;
    std::string authenticity_token;
};
DESCRIBE(Decision, id, authenticity_token)

template <bool Approve>
http::Response decide(db::Write& db, const http::Request& request, const Decision& form) {
    auto who = member(db, request, appeals_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::decide_appeal(db, who.actor, form.id, Approve);
    return done(appeals_path, Approve ? "appeal_approved" : "appeal_rejected");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list>          ("/settings/moderation/appeals"),
    http::post<decide<true>> ("/settings/moderation/appeals/:id/approve"),
    http::post<decide<false>>("/settings/moderation/appeals/:id/reject"),
};
// clang-format on

}  // namespace

std::span<const http::Route> appeal_pages() { return table; }

}  // namespace pages
