// SPDX-License-Identifier: AGPL-3.0-or-later
// Finds the route for a method and path, with a tree of path segments that is built once from the tables.
#pragma once
#include "http/route.hpp"

#include <memory>
#include <span>
#include <unordered_map>

namespace http {

struct Match {
    const Route* route = nullptr;
    const Scopes& accepted_scopes;  // any one of these scopes suffices; none: no scope is required
    std::vector<std::pair<std::string_view, std::string_view>> parameters;  // name, value (still encoded)
};

class Router {
public:
    void add(std::span<const Route> routes);
    // HEAD matches GET. A trailing slash is tolerated. Views point into the path and the route.
    Match find(Method method, std::string_view path) const;
    const std::vector<const Route*>& routes() const { return all_; }

private:
    struct Node {
        std::unordered_map<std::string_view, std::unique_ptr<Node>> named;
        std::unique_ptr<Node> handle;  // a parameter after an @, as in /@:username
        std::unique_ptr<Node> parameter;
        std::vector<const Route*> routes;
    };
    const Route* descend(const Node&, Method, std::string_view rest, std::vector<std::string_view>& values)
        const;

    Node root_;
    std::vector<const Route*> all_;
    std::unordered_map<const Route*, Scopes> accepted_scopes_;
    Scopes no_scopes_;
};

}  // namespace http
