// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/source.hpp"

#include "base/text/blank.hpp"

namespace takeover {

Settings settings_of(std::string_view text) {
    Settings out;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = base::text::trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#' || line.front() == ';') continue;
        if (line.starts_with("export ")) line.remove_prefix(7);
        const auto at = line.find_first_of("=:");
        if (at == line.npos) continue;
        const auto key = base::text::trimmed(line.substr(0, at));
        auto value = base::text::trimmed(line.substr(at + 1));
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
            value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        out.insert_or_assign(std::string(key), std::string(value));
    }
    return out;
}

std::unique_ptr<Source> recognise(db::Foreign& db, const Settings& old_settings) {
    if (gotosocial::is_one(db)) return gotosocial::open(db, old_settings);
    if (mastodon::is_one(db)) return mastodon::open(db, old_settings);
    throw Unsuitable("This is no database of Mastodon or GoToSocial, which are what can be taken over");
}

}  // namespace takeover
