// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/client/http_exchange.hpp"

#include "base/text/utf8.hpp"
#include "net/client/transfer.hpp"

namespace net {

namespace {

constexpr std::size_t longest_url = 8192;

std::string part_of(CURLU* url, CURLUPart part, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, flags) != CURLUE_OK) return {};
    std::unique_ptr<char, CurlCloser> owned(text);
    return owned.get();
}

}  // namespace

std::optional<FetchTarget> read_target(const std::string& text) {
    std::unique_ptr<CURLU, CurlCloser> url(curl_url());
    if (!url || text.size() > longest_url) return std::nullopt;
    if (curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
    FetchTarget target{
        base::text::ascii_lowered(part_of(url.get(), CURLUPART_SCHEME)),
        base::text::ascii_lowered(part_of(url.get(), CURLUPART_HOST)),
        part_of(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT)
    };
    bool http = target.scheme == "http" || target.scheme == "https";
    bool named =
        !part_of(url.get(), CURLUPART_USER).empty() || !part_of(url.get(), CURLUPART_PASSWORD).empty();
    if (!http || named || target.host.empty()) return std::nullopt;
    return target;
}

bool is_one_of(const FetchTarget& target, const std::vector<std::string>& hosts) {
    for (const auto& host : hosts)
        if (host == target.host || host == target.host + ":" + target.port) return true;
    return false;
}

Hop exchange(
    const base::Fetch& asked, const HttpClientOptions& options, const NetworkSet& allowed,
    std::chrono::milliseconds left
) {
    Transfer transfer(asked, options, allowed, left, Connections::fresh);
    if (!transfer.handle()) return {{base::FetchFailure::busy, 0, asked.url, {}, {}}, {}};
    return transfer.finish(curl_easy_perform(transfer.handle()));
}

}  // namespace net
