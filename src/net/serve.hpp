// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <boost/asio/ssl/stream.hpp>
#include <memory>

#include "net/connection.hpp"

namespace net {

// Start the life of a connection; on its worker's thread.
void serve_plain(std::shared_ptr<Worker>, Socket, Peer);
void serve_tls(std::shared_ptr<Worker>, asio::ssl::stream<Socket>, Peer);

}  // namespace net
