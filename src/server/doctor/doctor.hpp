// SPDX-License-Identifier: AGPL-3.0-or-later
// `dunlin doctor`: examines everything a server needs, whether it runs or not, and reports for each part
// whether it is healthy or what to do. Examining changes nothing; some findings can be fixed on request.
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
    std::string check;  // the part that was examined, one word
    std::string text;   // a sentence
};
DESCRIBE(Seen, level, check, text)
using Diagnosis = std::vector<Seen>;

struct Order {
    std::string mail_to = {};  // recipient of a test mail; empty: none
    // Who examines the site as a stranger would: the address of another Dunlin server; empty: this machine.
    // Not set: nobody.
    std::optional<std::string> outside = std::nullopt;
};

// A fix that needs no decision: it loses nothing and contacts nobody.
struct Mend {
    std::string check;                 // the part it belongs to
    std::string what;                  // what it will do: "makes a copy in /mnt/backup"
    std::function<std::string()> run;  // returns what was done; throws the reason if that fails
};

// Collects the fixes of all parts, which run concurrently, without duplicates.
class Mends {
public:
    void add(Mend);
    std::vector<Mend> all() const;

private:
    mutable std::mutex mutex_;
    std::vector<Mend> all_;
};

// Valid but dangerous options, as sentences that begin with the option.
Words risks_of(const Config&);
// A problem if DNS does not know the name; takes a few seconds at most.
std::optional<std::string> doubt_about_dns(const std::string& host);

// Examines all parts concurrently; each wait for another system ends after a few seconds. `mends` receives
// the possible fixes, which the owner of the data folder can run.
Diagnosis examine(const Loaded&, const Order&, Mends* mends = nullptr);

}  // namespace server
