// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <boost/asio/ssl/stream.hpp>
#include <memory>

#include "net/worker.hpp"

namespace net {

// Start the life of a connection; on its worker's thread.
void serve_plain(std::shared_ptr<Worker>, Socket, const Address& peer, bool refused);
void serve_tls(std::shared_ptr<Worker>, asio::ssl::stream<Socket>, const Address& peer);

}  // namespace net
