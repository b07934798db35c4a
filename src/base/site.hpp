// SPDX-License-Identifier: AGPL-3.0-or-later
// The settings of this site that rules and entities need: names, addresses, limits. Read from the
// configuration at startup; sessions carry them (db::Read::site).
#pragma once
#include <string>

namespace base {

struct Site {
    std::string domain = "localhost";                  // of handles: alice@domain
    std::string public_url = "http://localhost:3000";  // without a trailing slash
    std::string title = "Dunlin";
    std::string description;
    std::string contact_email;
    std::string contact_account;  // username of a local account
    std::string language = "en";
    std::string version = "0.1.0";
    std::string streaming_url;            // ws(s)://…
    std::string source_url = public_url;  // of the running version
    bool translates = false;              // a translation service is configured

    int max_characters = 5000;
    int max_media = 4;
    int max_poll_options = 4;
    bool registrations_open = true;
    bool approval_required = false;
    bool confirmation_required = true;
    bool restricted = false;  // disallow unauthenticated API access
    int min_age = 0;          // 0: not asked
    int appeal_days = 20;     // after which a strike is final

    // Absolute URLs of files stored under data/media and of assets under /static.
    std::string media(std::string_view path) const { return public_url + "/media/" + std::string(path); }
    std::string asset(std::string_view path) const { return public_url + "/static/" + std::string(path); }
};

}  // namespace base
