// SPDX-License-Identifier: AGPL-3.0-or-later
#include <boost/asio/co_spawn.hpp>

#include "net/connection.hpp"
#include "net/stream_connection.hpp"

namespace net {

void serve_plain(std::shared_ptr<Worker> worker, Socket socket, Peer peer) {
    const auto executor = socket.get_executor();
    auto connection =
        std::make_shared<StreamConnection<Socket>>(std::move(worker), std::move(peer), std::move(socket));
    auto& c = *connection;
    // An exception (out of memory) ends this connection and nothing else.
    asio::co_spawn(executor, c.run(std::move(connection)), [](std::exception_ptr) {});
}

}  // namespace net
