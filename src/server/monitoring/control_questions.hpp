// SPDX-License-Identifier: AGPL-3.0-or-later
// What may be asked of a running server by its control socket (net/local/control_socket.hpp). Answers are JSON.
#pragma once
#include "social/insight/vitals.hpp"
#include "social/streaming/hub.hpp"

#include <string_view>

namespace server {

// streaming::StreamFigures for each stream that is open.
constexpr std::string_view streams_question = "streams";

// An insight::Vitals.
constexpr std::string_view vitals_question = "vitals";

// insight::RefusedOne for each whom a rate limit refused lately, the most often first.
constexpr std::string_view limits_question = "limits";

}  // namespace server
