// SPDX-License-Identifier: AGPL-3.0-or-later
// `dunlin doctor`: looks at all that a server needs, beside it or without it, and says of each whether it is well and, where
// not, what to do. Looking changes nothing; some of what it finds it can mend, if it is told to.
#pragma once
#include "config/config_load.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace server {

struct Seen {
    Level level = Level::ok;
    std::string check;  // what was looked at, a word
    std::string text;   // a sentence
};
DESCRIBE(Seen, level, check, text)
using Diagnosis = std::vector<Seen>;

struct Order {
    std::string mail_to = {};  // who gets a mail to see whether it comes; empty: nobody
    // By whom the site is looked at as a stranger would: the address of another Dunlin; empty: from here. Not set: by nobody.
    std::optional<std::string> outside = std::nullopt;
};

// What can be done about something without anybody having to decide: nothing is lost by it and nobody is told anything.
struct Mend {
    std::string check;                 // what it is about
    std::string what;                  // what is going to be done: "makes a copy in /mnt/backup"
    std::function<std::string()> run;  // answers what was done; throws when it cannot be, with the reason
};

// From all that look at the same time; the same thing is done once.
class Mends {
public:
    void add(Mend);
    std::vector<Mend> all() const;

private:
    mutable std::mutex mutex_;
    std::vector<Mend> all_;
};

// Of options that are possible and dangerous, in sentences that begin with one.
Words risks_of(const Config&);
// Whether DNS knows a name at all; asks for a few seconds at most.
std::optional<std::string> doubt_about_dns(const std::string& host);

// Every part at the same time; each wait for somebody else ends after a few seconds. `mends`: what could be mended, by the user
// whose the data folder is.
Diagnosis examine(const Loaded&, const Order&, Mends* mends = nullptr);

}  // namespace server
