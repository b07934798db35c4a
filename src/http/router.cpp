// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/router.hpp"

namespace http {

namespace {

std::string_view next_segment(std::string_view& rest) {
    rest.remove_prefix(1);  // the slash
    auto end = rest.find('/');
    auto segment = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
    return segment;
}

// The part after the @ of a handle, which some clients encode; empty if there is none.
std::string_view behind_at(std::string_view segment) {
    if (segment.starts_with('@')) return segment.substr(1);
    return segment.starts_with("%40") ? segment.substr(3) : std::string_view{};
}

std::string_view without_last_slash(std::string_view path) {
    if (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    return path;
}

}  // namespace

void Router::add(std::span<const Route> routes) {
    for (const auto& route : routes) {
        all_.push_back(&route);
        accepted_scopes_[&route] = accepted_scopes(route.scope);
        Node* node = &root_;
        for (auto rest = route.path; !rest.empty();) {
            auto segment = next_segment(rest);
            auto& child = segment.starts_with("@:")  ? node->handle
                          : segment.starts_with(':') ? node->parameter
                                                     : node->named[segment];
            if (!child) child = std::make_unique<Node>();
            node = child.get();
        }
        node->routes.push_back(&route);
    }
}

const Route* Router::descend(
    const Node& node, Method method, std::string_view rest, std::vector<std::string_view>& values
) const {
    if (rest.empty()) {
        for (const auto* route : node.routes)
            if (route->method == method) return route;
        return nullptr;
    }
    auto segment = next_segment(rest);
    if (auto named = node.named.find(segment); named != node.named.end())
        if (auto* found = descend(*named->second, method, rest, values)) return found;
    if (auto name = behind_at(segment); node.handle && !name.empty()) {
        values.push_back(name);
        if (auto* found = descend(*node.handle, method, rest, values)) return found;
        values.pop_back();
    }
    if (!node.parameter || segment.empty()) return nullptr;
    values.push_back(segment);
    if (auto* found = descend(*node.parameter, method, rest, values)) return found;
    values.pop_back();
    return nullptr;
}

Match Router::find(Method method, std::string_view path) const {
    std::vector<std::string_view> values;
    const Route* route = nullptr;
    if (method == Method::head) method = Method::get;
    if (path.starts_with('/')) route = descend(root_, method, without_last_slash(path), values);
    if (!route) return {nullptr, no_scopes_, {}};
    Match match{route, accepted_scopes_.at(route), {}};
    std::size_t next = 0;
    for (auto rest = route->path; !rest.empty();) {
        auto segment = next_segment(rest);
        if (segment.starts_with('@') && segment.size() > 1) segment.remove_prefix(1);
        if (segment.starts_with(':')) match.parameters.emplace_back(segment.substr(1), values[next++]);
    }
    return match;
}

}  // namespace http
