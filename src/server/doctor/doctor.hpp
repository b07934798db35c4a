// SPDX-License-Identifier: AGPL-3.0-or-later
// `dunlin doctor`: looks at all that a server needs, beside it or without it, and says of each whether it is well and, where
// not, what to do. Nothing is changed.
#pragma once
#include "config/config_load.hpp"

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
    std::string mail_to;  // who gets a mail to see whether it comes; empty: nobody
};

// Every part at the same time; each wait for somebody else ends after a few seconds.
Diagnosis examine(const Loaded&, const Order&);

}  // namespace server
