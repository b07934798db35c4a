// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/compose.hpp"

#include "base/text/html/html.hpp"
#include "base/text/scan.hpp"
#include "base/text/utf8.hpp"

namespace takeover {

namespace {

bool means(const base::Site& site, const base::text::Entity& entity, const Mentioned& who) {
    using base::text::same_ignoring_ascii_case;
    if (!same_ignoring_ascii_case(entity.username, who.username)) return false;
    if (!entity.domain.empty() && !same_ignoring_ascii_case(entity.domain, site.domain))
        return same_ignoring_ascii_case(entity.domain, who.domain);
    return who.domain.empty();
}

}  // namespace

std::string html_of(
    const base::Site& site, std::string_view text, std::string_view content_type,
    const std::vector<Mentioned>& mentioned
) {
    const auto entities = base::text::scan(text);
    std::vector<base::text::Mention> links;
    for (const auto& entity : entities) {
        if (entity.kind != base::text::Entity::mention) continue;
        for (const auto& who : mentioned)
            if (means(site, entity, who)) {
                links.push_back({entity.acct(text), who.url, who.username, who.domain});
                break;
            }
    }
    const auto tags_url = site.public_url + "/tags/";
    const base::text::Resolve resolved{links, tags_url};
    if (content_type == "text/markdown") return base::text::markdown_html(text, resolved);
    return base::text::to_html(text, entities, resolved);
}

std::string field_html(const base::Site& site, std::string_view value) {
    const auto tags_url = site.public_url + "/tags/";
    return base::text::to_inline_html(value, {{}, tags_url, true, true});
}

}  // namespace takeover
