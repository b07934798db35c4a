// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/configuration.hpp"

namespace instance {

namespace {

ConfiguredStatuses status_limits(const base::Site& site) { return {site.max_characters, site.max_media, 23}; }

ConfiguredPolls poll_limits(const base::Site& site) {
    ConfiguredPolls polls;
    polls.max_options = site.max_poll_options;
    return polls;
}

}  // namespace

Configuration configuration(const base::Site& site, std::string vapid_public_key) {
    Configuration out;
    out.urls = {
        site.streaming_url,
        site.public_url + "/status",
        site.public_url + "/about",
        site.public_url + "/privacy-policy",
        {}
    };
    out.vapid = {std::move(vapid_public_key)};
    out.statuses = status_limits(site);
    out.polls = poll_limits(site);
    out.translation.enabled = site.translates;
    if (site.restricted) {
        FeedAccess closed{"authenticated", "authenticated"};
        out.timelines_access = {closed, closed, closed};
    }
    return out;
}

V1Configuration v1_configuration(const base::Site& site) {
    return {{}, status_limits(site), {}, poll_limits(site)};
}

}  // namespace instance
