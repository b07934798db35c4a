// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team says to everybody, and the codes by which people may sign up.
#include "http/route.hpp"
#include "social/moderation/site/site_acts.hpp"
#include "social/pages/staff/staff_page.hpp"

namespace pages {
namespace {

using instance::View;

// ---- announcements ----

const std::string announcements_path = address_of(announcements_part);

struct DraftForm {
    std::string text, starts, ends, authenticity_token;
    bool open = false;
};
DESCRIBE(DraftForm, text, starts, ends, authenticity_token, open)

std::string_view word(announcements::State state) {
    switch (state) {
        case announcements::State::scheduled: return "Planned";
        case announcements::State::published: return "Shown";
        case announcements::State::ended: break;
    }
    return "Ended";
}

http::Response announcements_page(
    db::Read& db, const http::Request& request, const Member& who, const DraftForm& given,
    std::string_view problem = {}
) {
    View view;
    view.set("TEXT", given.text).set("STARTS", given.starts).set("ENDS", given.ends);
    view.show_if(given.open, "CHOSEN");
    auto all = announcements::all(db);
    view.show_if(all.empty(), "NONE");
    for (const auto& one : all)
        view.add("ANNOUNCEMENT")
            .set("ID", std::to_string(one.id.value))
            .set("WORDS", one.text)
            .set("DAY", day_of(one.published_at))
            .show_if(one.open, "OPEN")
            .say("STATE", word(announcements::state_of(one, db.now())));
    return staff_page(
        db,
        request,
        who,
        &announcements_part,
        "staff_announcements",
        "Announcements",
        problem,
        std::move(view)
    );
}

http::Response list_announcements(db::Read& db, const http::Request& request) {
    auto who = member(db, request, announcements_part.any_of);
    return who.answer() ? *who.answer() : announcements_page(db, request, who, {});
}

// A day, as a field of a form has it. Throws Invalid.
std::optional<base::Time> day_in(const std::string& text) {
    if (text.empty()) return {};
    auto time = base::parse_time(text);
    if (!time) throw base::Invalid("A day is written 2026-12-24.");
    return time;
}

http::Response announce(db::Write& db, const http::Request& request, const DraftForm& form) {
    auto who = member(db, request, announcements_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    try {
        auto ends = day_in(form.ends);
        if (ends) ends = ends->plus_seconds(86'399);  // that day is one of its days
        announcements::Draft draft{form.text, {}, day_in(form.starts), ends};
        draft.all_day = draft.starts_at || draft.ends_at;
        draft.open = form.open;
        moderation::announce(db, who.actor, draft);
    } catch (const base::Invalid& refused) {
        return announcements_page(db, request, who, form, sentence_of(refused));
    }
    return done(announcements_path, "saved");
}

struct ByAnnouncement {
    announcements::AnnouncementId id;
    std::string authenticity_token;
};
DESCRIBE(ByAnnouncement, id, authenticity_token)

http::Response withdraw(db::Write& db, const http::Request& request, const ByAnnouncement& form) {
    auto who = member(db, request, announcements_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::withdraw_announcement(db, who.actor, form.id);
    return done(announcements_path, "withdrawn");
}

// ---- invites ----

const std::string invites_path = address_of(invites_part);

http::Response list_invites(db::Read& db, const http::Request& request) {
    auto who = member(db, request, invites_part.any_of);
    if (who.answer()) return *who.answer();
    View view;
    auto all = accounts::invites(db);
    constexpr std::size_t most = 100;
    if (all.size() > most) all.resize(most);
    view.show_if(all.empty(), "NONE");
    for (const auto& one : all) {
        auto& row = view.add("INVITE").set("CODE", one.code);
        row.set("URL", db.site().public_url + "/invite/" + one.code).set("USES", std::to_string(one.uses));
        if (one.max_uses) row.add("MOST").set("COUNT", std::to_string(*one.max_uses));
        if (one.expires_at) row.add("UNTIL").set("DAY", day_of(*one.expires_at));
        if (one.username) row.add("MADE_BY").set("HANDLE", *one.username);
        row.show_if(!one.valid(db.now()), "ENDED");
    }
    return staff_page(db, request, who, &invites_part, "staff_invites", "Invites", {}, std::move(view));
}

struct InviteForm {
    std::int64_t uses = 0, days = 0;  // 0: without end
    bool autofollow = false;
    std::string authenticity_token;
};
DESCRIBE(InviteForm, uses, days, autofollow, authenticity_token)

http::Response invite(db::Write& db, const http::Request& request, const InviteForm& form) {
    auto who = member(db, request, invites_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    constexpr std::int64_t a_day = 86'400, most_days = 3650, most_uses = 1'000'000;
    accounts::NewInvite wanted;
    wanted.account = who.actor.account;
    wanted.autofollow = form.autofollow;
    if (form.uses > 0) wanted.max_uses = std::min(form.uses, most_uses);
    if (form.days > 0) wanted.expires_at = db.now().plus_seconds(std::min(form.days, most_days) * a_day);
    moderation::invite(db, who.actor, wanted);
    return done(invites_path, "invited");
}

struct ByCode {
    std::string code, authenticity_token;
};
DESCRIBE(ByCode, code, authenticity_token)

http::Response revoke(db::Write& db, const http::Request& request, const ByCode& form) {
    auto who = member(db, request, invites_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::revoke_invite(db, who.actor, form.code);
    return done(invites_path, "invite_revoked");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list_announcements>("/settings/moderation/announcements"),
    http::post<announce>         ("/settings/moderation/announcements"),
    http::post<withdraw>         ("/settings/moderation/announcements/:id/remove"),
    http::get<list_invites>      ("/settings/moderation/invites"),
    http::post<invite>           ("/settings/moderation/invites"),
    http::post<revoke>           ("/settings/moderation/invites/:code/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> site_pages() { return table; }

}  // namespace pages
