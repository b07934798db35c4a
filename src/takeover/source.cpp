// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/source.hpp"

#include "base/text/blank.hpp"
#include "takeover/mitra/reading.hpp"

namespace takeover {

namespace {

// Without its quotes, and without the comment behind it, which a space comes before: passwords may hold a #.
std::string_view bare(std::string_view value) {
    const char quote = value.empty() ? '\0' : value.front();
    if (quote == '"' || quote == '\'')
        for (auto end = value.find(quote, 1); end != value.npos; end = value.find(quote, end + 1)) {
            const auto rest = base::text::trimmed(value.substr(end + 1));
            if (rest.empty() || rest.front() == '#') return value.substr(1, end - 1);
        }
    if (quote == '#') return {};
    const auto comment = std::min(value.find(" #"), value.find("\t#"));
    return base::text::trimmed(value.substr(0, comment));
}

}  // namespace

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
        out.insert_or_assign(std::string(key), std::string(bare(base::text::trimmed(line.substr(at + 1)))));
    }
    return out;
}

void Source::expect_version(
    const std::string& last, std::string_view oldest, std::string_view newest, std::string_view versions
) const {
    const bool newer = last > newest;
    if (last >= oldest && (!newer || newer_will_do_)) return;
    const auto known = oldest == newest ? std::string(oldest)
                                        : "one from " + std::string(oldest) + " to " + std::string(newest);
    throw Unsuitable(
        "This version of " + program() + " is not known: its last migration is " + last + ", and " + known +
        " (" + std::string(versions) + ") is expected. " +
        (newer ? "Ask for a newer Dunlin; or add --newer, which takes it as if nothing had changed that is "
                 "read here, "
                 "and look at what `dunlin takeover compare` says afterwards"
               : "Bring it to such a version first")
    );
}

std::unique_ptr<Source> recognise(db::Foreign& db, const Settings& old_settings) {
    if (gotosocial::is_one(db)) return gotosocial::open(db, old_settings);
    if (mastodon::is_one(db)) return mastodon::open(db, old_settings);
    if (pleroma::is_one(db)) return pleroma::open(db, old_settings);
    if (mitra::is_one(db)) return mitra::open(db, old_settings);
    if (hollo::is_one(db)) return hollo::open(db, old_settings);
    throw Unsuitable(
        "This is no database of Mastodon, GoToSocial, Pleroma, Akkoma, Hollo or Mitra, which are what can be "
        "taken over"
    );
}

}  // namespace takeover
