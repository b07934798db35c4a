// SPDX-License-Identifier: AGPL-3.0-or-later
// The web client as it is built into the program: its files, under addresses that name their version, and what it says in
// routes.json of the pages that it shows (web/client/README.md).
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
    std::vector<std::string> files, first;  // what the page needs: modules, and answers of the API
};
DESCRIBE(ClientRoute, path, files, first)

class Client {
public:
    Client() = default;  // without a client
    explicit Client(std::span<const base::EmbeddedFile>);

    bool present() const { return !routes_.empty(); }
    const std::string& version() const { return version_; }  // 12 hexadecimal digits, of all files
    const std::string& entry() const { return entry_; }
    const std::string& style() const { return style_; }
    const std::vector<ClientRoute>& routes() const { return routes_; }
    std::string address(std::string_view file) const { return "/web/" + version_ + "/" + std::string(file); }

    // The route that shows this path, and what its parameters stand for there, still encoded.
    struct Match {
        const ClientRoute* route = nullptr;
        std::vector<std::pair<std::string_view, std::string_view>> parameters;
    };
    Match find(std::string_view path) const;

    struct Language {
        std::string name;
        std::vector<std::string> files;
    };
    // The first of these wishes that the client speaks ("de-AT,de;q=0.8"), English otherwise.
    Language language(const std::vector<std::string_view>& wishes) const;

    // Path after /web/.
    http::Response file(const http::Request&, std::string_view path) const;
    // The service worker; one that removes itself where there is none.
    std::string worker() const;

private:
    std::map<std::string, std::string_view, std::less<>> files_;  // with their forms .br and .gz
    std::string version_, entry_, style_;
    std::vector<ClientRoute> routes_;
    std::vector<Language> languages_;
};

// The one that is served: what is built in, until another is put in its place.
const Client& client();
void use_client(Client);

}  // namespace server
