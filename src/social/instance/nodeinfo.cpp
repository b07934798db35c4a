// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/instance/instance_entity.hpp"

#include "base/json.hpp"
#include "base/text/host.hpp"
#include "base/uris.hpp"
#include "social/instance/activity.hpp"

namespace instance {

namespace {

struct Link {
    std::string rel, href;
};
DESCRIBE(Link, rel, href)
struct Links {
    std::vector<Link> links;
};
DESCRIBE(Links, links)

struct Software {
    std::string name, version;
    base::json::Omit<std::string> repository;
};
DESCRIBE(Software, name, version, repository)
struct Services {
    std::vector<std::string> inbound, outbound;
};
DESCRIBE(Services, inbound, outbound)
struct Users {
    std::int64_t total = 0, activeMonth = 0, activeHalfyear = 0;
};
DESCRIBE(Users, total, activeMonth, activeHalfyear)
struct Usage {
    Users users;
    std::int64_t localPosts = 0;
};
DESCRIBE(Usage, users, localPosts)
// The software whose API this is: clients that detect software by name, such as those built on megalodon,
// read this if they do not know it.
struct Upstream {
    std::string name;
};
DESCRIBE(Upstream, name)
struct Metadata {
    std::string nodeName, nodeDescription;
    Upstream upstream;
};
DESCRIBE(Metadata, nodeName, nodeDescription, upstream)
struct NodeInfo {
    std::string version;
    Software software;
    std::vector<std::string> protocols;
    Services services;
    Usage usage;
    bool openRegistrations = false;
    Metadata metadata;
};
DESCRIBE(NodeInfo, version, software, protocols, services, usage, openRegistrations, metadata)

}  // namespace

std::string nodeinfo_discovery(const base::Site& site) {
    Links out{{
        {"http://nodeinfo.diaspora.software/ns/schema/2.0", site.public_url + "/nodeinfo/2.0"},
        {"http://nodeinfo.diaspora.software/ns/schema/2.1", site.public_url + "/nodeinfo/2.1"},
        {"https://www.w3.org/ns/activitystreams#Application",
         base::uris::actor(site, base::uris::server_actor)},
    }};
    return base::json::to_string(out);
}

std::string nodeinfo(db::Read& db, std::string_view version) {
    const auto& site = db.site();
    auto size = statistics(db);
    NodeInfo out{
        std::string(version),
        {"dunlin", site.version, {}},
        {"activitypub"},
        {},
        {{size.users, size.active_month, size.active_halfyear}, size.statuses},
        site.registrations_open,
        {site.title, site.description, {"mastodon"}}
    };
    if (version == "2.1") out.software.repository = site.source_url;
    return base::json::to_string(out);
}

std::optional<std::string> peer_prefix(std::string_view text) {
    auto begin = text.find_first_not_of(" \t\n");
    if (begin == text.npos) return std::nullopt;
    text = text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
    return base::text::host_as_ascii(text);
}

}  // namespace instance
