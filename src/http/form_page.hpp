// SPDX-License-Identifier: AGPL-3.0-or-later
// What `prepare` returns of a page's form that must not be lost with what was typed into it: when the change refuses it, the form
// is answered again, with the sentence.
#pragma once
#include "http/message.hpp"

#include <any>
#include <functional>
#include <string_view>

namespace http {

struct FormPage {
    std::function<Response(std::string_view problem)> again;  // empty: as any other failure
    std::any what;                                            // for the change
};

}  // namespace http
