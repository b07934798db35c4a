// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include "ap/incoming.hpp"
#include "ap/object.hpp"
#include "base/ask.hpp"
#include "db/session.hpp"

namespace federation {

// The post that a QuoteRequest or ReplyRequest is about: embedded by its author, or as its own server shows it. Nothing where
// it is none of theirs. Throws Unavailable: its server does not answer now.
std::optional<ap::Object> instrument(const base::Ask&, db::Read&, const ap::Incoming&);

}  // namespace federation
