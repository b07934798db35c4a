// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/page.hpp"

#include "http/body/urlencoded.hpp"

#include <algorithm>

namespace http {

void add_offset_link(
    Response& response, const base::Site& site, const Request& request, int offset, int limit,
    std::size_t items
) {
    std::string base = site.public_url + std::string(request.path()) + "?";
    for (const auto& [name, value] : read_urlencoded(request.query()))
        if (name != "offset" && name != "access_token" && name != "bearer_token")
            base += percent_encoded(name) + "=" + percent_encoded(value) + "&";
    std::string link;
    auto add = [&](int at, const char* rel) {
        link +=
            (link.empty() ? "<" : ", <") + base + "offset=" + std::to_string(at) + ">; rel=\"" + rel + "\"";
    };
    if (limit > 0 && items == static_cast<std::size_t>(limit)) add(offset + limit, "next");
    if (offset > 0) add(std::max(0, offset - limit), "prev");
    if (!link.empty()) response.headers.emplace_back("Link", std::move(link));
}

}  // namespace http
