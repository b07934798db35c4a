// SPDX-License-Identifier: AGPL-3.0-or-later
// The web client as compiled into the program: its files, under URLs that contain their version, and the
// routes.json that describes the pages it shows (web/client/README.md).
#pragma once
#include "base/embedded.hpp"
#include "base/json_read.hpp"
#include "http/message.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace server {

struct ClientRoute {
    std::string path;                       // "/@:acct/:id"
    std::vector<std::string> files, first;  // what the page needs: modules, and API responses
};
DESCRIBE(ClientRoute, path, files, first)

class Client {
public:
    Client() = default;  // no client is built in
    explicit Client(std::span<const base::EmbeddedFile>);

    bool present() const { return !routes_.empty(); }
    const std::string& version() const { return version_; }  // 12 hexadecimal digits, over all files
    const std::string& entry() const { return entry_; }
    const std::string& style() const { return style_; }
    const std::vector<ClientRoute>& routes() const { return routes_; }
    std::string address(std::string_view file) const { return "/web/" + version_ + "/" + std::string(file); }

    // The route for this path, and the values of its parameters, still encoded.
    struct Match {
        const ClientRoute* route = nullptr;
        std::vector<std::pair<std::string_view, std::string_view>> parameters;
    };
    Match find(std::string_view path) const;

    struct Language {
        std::string name;
        std::vector<std::string> files;
    };
    // The first of these wishes that the client supports ("de-AT,de;q=0.8"), else English.
    Language language(const std::vector<std::string_view>& wishes) const;

    // Path after /web/.
    http::Response file(const http::Request&, std::string_view path) const;
    // The service worker; one that removes itself if there is no client.
    std::string worker() const;

private:
    std::map<std::string, std::string_view, std::less<>> files_;  // including the .br and .gz encodings
    std::string version_, entry_, style_;
    std::vector<ClientRoute> routes_;
    std::vector<Language> languages_;
};

// The client being served: the built-in one, until it is replaced.
const Client& client();
void use_client(Client);

}  // namespace server
