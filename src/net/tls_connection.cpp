// SPDX-License-Identifier: AGPL-3.0-or-later
#include <boost/asio/co_spawn.hpp>

#include "net/connection.hpp"
#include "net/stream_connection.hpp"

namespace net {

void serve_tls(std::shared_ptr<Worker> worker, asio::ssl::stream<Socket> stream, Peer peer) {
    const auto executor = stream.get_executor();
    auto connection = std::make_shared<StreamConnection<asio::ssl::stream<Socket>>>(
        std::move(worker), std::move(peer), std::move(stream)
    );
    auto& c = *connection;
    asio::co_spawn(executor, c.run(std::move(connection)), [](std::exception_ptr) {});
}

}  // namespace net
