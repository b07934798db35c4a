// SPDX-License-Identifier: AGPL-3.0-or-later
// The stamp by which an author lets one post quote another (FEP-044f).
#pragma once
#include "ap/document.hpp"

#include <string>

namespace ap {

struct Stamp {
    std::string id;
    std::string attributed_to;       // who gave it: the author of the quoted post
    std::string interacting_object;  // the post that quotes
    std::string interaction_target;  // the quoted post
};

// Refused is also one that its author's server does not hold.
Reading<Stamp> read_stamp(const Document&);

// Whether it says that `target`, by `author`, may be quoted by `post`.
bool allows(const Stamp&, std::string_view post, std::string_view target, std::string_view author);

}  // namespace ap
