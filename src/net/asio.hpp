// SPDX-License-Identifier: AGPL-3.0-or-later
// The Asio types of this folder, with the concrete executor: the type-erased one costs a microsecond per
// request.
#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace net {

namespace asio = boost::asio;

using ErrorCode = boost::system::error_code;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<asio::ip::tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;
using Timer = asio::basic_waitable_timer<
    std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;
using Task = asio::awaitable<void, Executor>;
using Awaited = asio::use_awaitable_t<Executor>;

inline constexpr Awaited awaited{};

inline auto into(ErrorCode& error) { return asio::redirect_error(awaited, error); }

}  // namespace net
