// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/check.hpp"

namespace takeover {

namespace {

// What no server can hand over, whichever it is.
constexpr const char* lost_everywhere[] = {
    "link previews and trends, which are made anew",
    "statistics of days gone by",
};

std::string quoted(const std::string& text) { return base::json::to_string(text); }

}  // namespace

Report check(Source& source, const std::filesystem::path& media) {
    source.check_schema();
    source.check_secrets();
    Report report;
    report.program = source.program();
    report.version = source.version();
    const auto addresses = source.addresses();
    report.domain = addresses.domain;
    report.public_url = addresses.public_url;
    for (const auto& [what, rows] : source.expected()) report.rows.push_back({what, rows, 0});
    for (const auto& key : source.keys()) {
        ++report.keys_checked;
        if (!key.good) report.bad_keys.push_back(key.actor);
    }
    if (!media.empty()) {
        constexpr std::size_t most = 1000;
        const Files files(media, nullptr, {});
        for (const auto& name : source.some_files(most)) {
            ++report.files_checked;
            if (files.is_there(name)) ++report.files_found;
        }
    }
    report.losses = source.losses();
    for (const auto* what : lost_everywhere) report.losses.push_back({what, 0});
    report.configuration = {
        "domain = " + quoted(addresses.domain),
        "public_url = " + quoted(addresses.public_url),
    };
    for (auto& line : source.configuration()) report.configuration.push_back(std::move(line));
    return report;
}

}  // namespace takeover
