// SPDX-License-Identifier: AGPL-3.0-or-later
// The compiled parts of Asio and Beast, once.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
