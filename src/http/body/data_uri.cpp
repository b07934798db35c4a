// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/read_params.hpp"

#include "base/signing.hpp"
#include "base/text/utf8.hpp"
#include "http/body/spool.hpp"
#include "http/body/urlencoded.hpp"

namespace http {

namespace {

constexpr std::string_view scheme = "data:", marked_as_base64 = ";base64";

}  // namespace

bool is_data_uri(std::string_view text) {
    return base::text::ascii_lowered(text.substr(0, scheme.size())) == scheme;
}

std::optional<Upload> read_data_uri(std::string_view uri, const std::filesystem::path& folder) {
    auto comma = uri.find(',');
    if (!is_data_uri(uri) || comma == uri.npos) return std::nullopt;
    auto type = base::text::ascii_lowered(uri.substr(scheme.size(), comma - scheme.size()));
    auto data = uri.substr(comma + 1);
    std::optional<std::string> bytes;
    if (!type.ends_with(marked_as_base64)) bytes = percent_decoded(data);
    else if (data.find('%') == data.npos) bytes = base::from_base64(data);
    else bytes = base::from_base64(percent_decoded(data));
    if (!bytes) return std::nullopt;
    if (type.ends_with(marked_as_base64)) type.resize(type.size() - marked_as_base64.size());
    Spool file(folder);
    file.write(*bytes);
    return Upload{"", type, file.path(), file.size()};
}

}  // namespace http
