// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/nodeinfo.hpp"

#include "base/text/utf8.hpp"

namespace ap {

std::string nodeinfo_link(std::string_view json) {
    constexpr std::string_view prefix = "nodeinfo.diaspora.software/ns/schema/";
    auto document = read_json(json);
    if (!document) return {};
    for (std::string_view version : {"2.1", "2.0", "1.1", "1.0"})
        for (auto link : (*document)["links"].each(64)) {
            auto rel = link["rel"].text(200);
            auto at = rel.find(prefix);
            if (at == rel.npos || std::string_view(rel).substr(at + prefix.size()) != version) continue;
            if (auto href = link["href"].link(); !href.empty()) return href;
        }
    return {};
}

Reading<NodeInfo> read_nodeinfo(std::string_view json) {
    auto document = read_json(json);
    if (!document) return document.why();
    auto node = document->node();
    auto software = node["software"];
    if (!software.is_object()) return Refusal::no_links;
    NodeInfo out;
    out.software = base::text::ascii_lowered(software["name"].text(100));
    out.version = software["version"].text(100);
    out.name = node["metadata"]["nodeName"].text(200);
    auto usage = node["usage"];
    out.users = usage["users"]["total"].count();
    out.active_month = usage["users"]["activeMonth"].count();
    out.posts = usage["localPosts"].count();
    out.open_registrations = node["openRegistrations"].flag();
    return out;
}

}  // namespace ap
