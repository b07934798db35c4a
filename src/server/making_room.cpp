// SPDX-License-Identifier: AGPL-3.0-or-later
// What is done even on a full disk, because it frees more space than it uses, or leads there
// (docs/decisions/0050-read-only.md).
#include "server/tables.hpp"

#include <algorithm>
#include <stdexcept>

namespace server {

namespace {

// In addition to all routes with the method DELETE: signing in, which needs a few bytes; ending accounts,
// sessions and tokens; the staff desk.
constexpr std::string_view forms[] = {
    "/auth/passkey",
    "/auth/second_factor",
    "/auth/sign_in",
    "/auth/sign_out",
    "/oauth/authorize",
    "/oauth/authorized_applications/:id",
    "/oauth/revoke",
    "/oauth/token",
    "/plain/statuses/:id/delete",
    "/settings/account/deletion",
    "/settings/account/sessions/:id/end",
    "/settings/account/sessions/end_others",
    "/settings/account/transfer/posts/:id/take_back",
    "/settings/moderation/reports/:id/act",
    "/settings/moderation/servers",
};

// The names of job rows, and of periodic work.
constexpr std::string_view jobs_and_periodic[] = {
    "begin_forgetting_account",
    "begin_forgetting_rows",
    "begin_forgetting_severed",
    "continue_clearing_notifications",
    "continue_forgetting_account",
    "continue_forgetting_rows",
    "continue_forgetting_severed",
    "continue_forgetting_status",
    "continue_purging_server",
    "continue_removal",
    "delete_long_suspended",
    "drop_for_unavailable",
    "empty_deleted",
    "find_site_troubles",
    "forget_label",
    "mail_alerts",
    "make_room_of_copies",
    "prune_copies",
    "purge_activities",
    "purge_archives",
    "purge_imports",
    "purge_inbox",
    "purge_more_activities",
    "purge_more_seen",
    "purge_previews",
    "purge_suspended_servers",
    "purge_translations",
    "remove_all_of",
    "remove_files",
    "remove_old_posts",
    "remove_reblogs",
    "remove_some_of",
    "stop_deliveries",
    "tell_of_alerts",
    "stop_more_deliveries",
    "sweep_media",
    "sweep_orphans",
};

}  // namespace

std::unordered_set<const http::Route*> routes_making_room() {
    std::unordered_set<const http::Route*> out;
    for (auto form : forms) {
        const auto before = out.size();
        for (auto slice : routes())
            for (const auto& route : slice)
                if (route.path == form && route.method == http::Method::post) out.insert(&route);
        if (out.size() == before) throw std::logic_error("nothing is posted to " + std::string(form));
    }
    return out;
}

std::vector<std::string> work_making_room() { return {begin(jobs_and_periodic), end(jobs_and_periodic)}; }

}  // namespace server
