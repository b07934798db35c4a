// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/staff/staff_page.hpp"

#include "base/json_read.hpp"
#include "social/accounts/administering.hpp"

#include <algorithm>

namespace pages {

namespace {

Member allowed(db::Read& db, Owner owner, std::int64_t any_of) {
    Member out{std::move(owner), {}};
    if (out.answer()) return out;
    out.actor = accounts::actor(db, out.owner.user.account_id);
    accounts::require(out.actor, any_of);
    return out;
}

}  // namespace

std::string account_page(base::AccountId id) {
    return address_of(accounts_part) + "/" + std::to_string(id.value);
}

std::string post_page(base::StatusId id) { return desk + "/posts/" + std::to_string(id.value); }

bool is_staff(const accounts::Actor& who) {
    return std::ranges::any_of(staff_parts, [&](const StaffPart& part) { return who.may(part.any_of); });
}

Member member(db::Read& db, const http::Request& request, std::int64_t any_of) {
    return allowed(db, owner(db, request), any_of);
}

Member member(
    db::Read& db, const http::Request& request, std::int64_t any_of, std::string_view authenticity_token
) {
    return allowed(db, owner(db, request, authenticity_token), any_of);
}

http::Response staff_page(
    db::Read& db, const http::Request& request, const Member& who, const StaffPart* here,
    std::string_view name, std::string_view title, std::string_view problem, instance::View view
) {
    // The desk names them all itself.
    for (const auto& part : staff_parts) {
        if (!here || !who.actor.may(part.any_of)) continue;
        auto& link = view.add("PART").say("NAME", part.name).set("URL", address_of(part));
        link.show_if(here->path == part.path, "HERE");
    }
    return settings_page(db, request, who.owner, name, title, problem, std::move(view));
}

std::string sentence_of(const base::Invalid& refused) {
    std::string text = refused.what();
    return text.ends_with('.') ? text : text + ".";
}

std::map<base::AccountId, std::string> handles(db::Read& db, const std::vector<base::AccountId>& ids) {
    return accounts::handles_for_staff(db, ids);
}

void add_covered(db::Read& db, instance::View& view, const std::vector<Shown>& posts, bool with_ways) {
    std::vector<base::StatusId> ids;
    if (with_ways)
        for (const auto& post : posts) ids.push_back({std::stoll(post.id)});
    std::set<base::StatusId> there;
    if (!ids.empty())
        for (const auto& facts : statuses::visibility_facts(db, statuses::nobody(db), ids))
            there.insert(facts.id);
    for (const auto& post : posts) {
        auto& covered = view.add("COVERED");
        covered.set("ON", post.created_at.substr(0, 10));
        if (!post.media_attachments.empty())
            covered.add("WITH_MEDIA").set("COUNT", std::to_string(post.media_attachments.size()));
        add_post(covered, post, db.site());
        const base::StatusId id{std::stoll(post.id)};
        if (there.contains(id)) covered.add("LABELLED").set("URL", post_page(id));
    }
}

void set_person(instance::View& view, const std::optional<moderation::AdminAccount>& person) {
    if (!person) return void(view.add("NOBODY"));
    auto shown = base::json::read<ShownAuthor>(person->account.text);
    auto& known = view.add("PERSON");
    known.set("NAME", name_of(shown)).set("HANDLE", shown.acct).set("URL", shown.url);
    auto state = [&](bool holds, std::string_view name) {
        if (holds) known.add("STATE").say("NAME", name);
    };
    state(person->suspended, "Suspended");
    state(person->silenced, "Limited");
    state(person->sensitized, "Media are sensitive");
    state(person->disabled.value_or(false), "Frozen");
}

}  // namespace pages
