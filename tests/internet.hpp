// SPDX-License-Identifier: AGPL-3.0-or-later
// The internet of the stage (world.hpp): a handful of pages that the test writes. All else cannot be resolved. It is
// empty again whenever a World begins.
#pragma once
#include "base/fetch.hpp"
#include "social/accounts/users/mail_hosts.hpp"
#include "social/media/store.hpp"
#include "social/statuses/translation/translation.hpp"

#include <functional>
#include <map>
#include <set>

using base::Fetched;

struct Internet {
    std::map<std::string, std::function<Fetched(const base::Fetch&)>> pages;  // by address
    std::map<std::string, media::Stored> pictures;
    statuses::LanguagePairs languages;
    std::function<statuses::Translated(const statuses::Translate&)> translate;
    std::vector<base::Fetch> asked;
    std::map<std::string, accounts::MailHosts> mail_hosts;  // by domain; of others DNS knows nothing
    std::set<std::string> kept;                             // files of media::KeepFiles
    std::set<std::string> quarantined;                      // what the files in quarantine are called there
    std::function<void()> while_mailing;                    // happens while a mail server takes a mail

    Fetched answer(const base::Fetch&);
    void page(const std::string& url, const std::string& body, const std::string& type = "text/html");
};
Internet& internet();
