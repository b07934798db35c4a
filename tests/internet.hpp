// SPDX-License-Identifier: AGPL-3.0-or-later
// The fake internet of the test stage (world.hpp): a few pages defined by the test. Nothing else can be
// resolved. Reset whenever a World is created.
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
    std::map<std::string, std::function<Fetched(const base::Fetch&)>> pages;  // by URL
    std::map<std::string, media::Stored> pictures;
    statuses::LanguagePairs languages;
    std::function<statuses::Translated(const statuses::Translate&)> translate;
    std::vector<base::Fetch> asked;
    std::map<std::string, accounts::MailHosts> mail_hosts;  // by domain; DNS does not answer about others
    std::set<std::string> kept;                             // files of media::KeepFiles
    std::set<std::string> quarantined;                      // the names of quarantined files
    std::function<void()> while_mailing;                    // called while a mail server accepts a mail

    Fetched answer(const base::Fetch&);
    void page(const std::string& url, const std::string& body, const std::string& type = "text/html");
};
Internet& internet();
