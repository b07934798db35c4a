// SPDX-License-Identifier: AGPL-3.0-or-later
// Returned by the `prepare` step of a page's form: if the change refuses the input, the form is shown again
// with the message, and what was typed is not lost.
#pragma once
#include "http/message.hpp"

#include <any>
#include <functional>
#include <string_view>

namespace http {

struct FormPage {
    std::function<Response(std::string_view problem)> again;  // empty: handled like any other error
    std::any what;                                            // for the change
};

}  // namespace http
