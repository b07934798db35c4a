// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <span>

namespace http {
struct Route;
}

namespace oauth {

std::span<const http::Route> app_routes();
std::span<const http::Route> token_routes();
std::span<const http::Route> metadata_routes();
std::span<const http::Route> sign_up_routes();
std::span<const http::Route> email_routes();
std::span<const http::Route> web_settings_routes();
std::span<const http::Route> authorize_pages();
std::span<const http::Route> sign_in_pages();
std::span<const http::Route> sign_up_pages();
std::span<const http::Route> confirmation_pages();
std::span<const http::Route> password_pages();
std::span<const http::Route> application_pages();
std::span<const http::Route> setup_pages();
std::span<const http::Route> root_pages();

}  // namespace oauth
