// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/to_rdf.hpp"

#include "base/crypto.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace ap::ld {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_work = 20'000;  // paths tried and names copied

using Node = int;  // a blank node, numbered as met
constexpr Node no_node = -1;

// One place of a quad: a blank node, or text that is the same whatever the nodes are called.
struct Place {
    Node node = no_node;
    std::string text;
    auto operator<=>(const Place&) const = default;
};

enum : std::size_t { subject, predicate, object, graph };
using Line = std::array<Place, 4>;

// Gives names with a prefix, in the order in which they are asked for.
class Names {
public:
    Names(char prefix, std::size_t nodes) : prefix_(prefix), numbers_(nodes, -1) {}

    bool has(Node node) const { return numbers_[static_cast<std::size_t>(node)] >= 0; }
    void give(Node node) {
        auto& number = numbers_[static_cast<std::size_t>(node)];
        if (number >= 0) return;
        number = static_cast<int>(order_.size());
        order_.push_back(node);
    }
    std::string name(Node node) const {
        return (prefix_ == 'c' ? "_:c14n" : "_:b") + std::to_string(numbers_[static_cast<std::size_t>(node)]);
    }
    const std::vector<Node>& order() const { return order_; }

private:
    char prefix_;
    std::vector<int> numbers_;
    std::vector<Node> order_;
};

struct Path {
    std::string hash;
    Names names;
};

class Canonical {
public:
    Canonical(std::span<const Quad> quads, Spelling spelling) {
        for (const auto& quad : quads) add(quad, spelling);
        std::ranges::sort(lines_);
        lines_.erase(std::ranges::unique(lines_).begin(), lines_.end());
        lines_of_.resize(nodes_.size());
        for (std::size_t i = 0; i < lines_.size(); i++)
            for (auto at : {subject, object, graph}) {
                auto node = lines_[i][at].node;
                if (node == no_node) continue;
                auto& of = lines_of_[static_cast<std::size_t>(node)];
                if (of.empty() || of.back() != i) of.push_back(i);
            }
    }

    std::string text() {
        name_nodes();
        std::vector<std::string> out;
        out.reserve(lines_.size());
        for (const auto& line : lines_)
            out.push_back(written(line, [&](Node node) { return issued_->name(node); }));
        std::ranges::sort(out);
        out.erase(std::ranges::unique(out).begin(), out.end());
        std::string all;
        for (const auto& line : out) all += line;
        return all;
    }

private:
    void add(const Quad& quad, Spelling spelling) {
        auto& line = lines_.emplace_back();
        auto put = [&](std::size_t at, const Term& term) {
            if (term.kind == Term::Kind::blank) {
                auto number = static_cast<Node>(nodes_.size());
                line[at].node = nodes_.try_emplace(term.value, number).first->second;
            } else {
                write(line[at].text, term, spelling);
            }
        };
        put(subject, quad.subject);
        put(predicate, quad.predicate);
        put(object, quad.object);
        if (quad.graph) put(graph, *quad.graph);
    }

    template <class Name>
    static std::string written(const Line& line, Name name) {
        std::string out;
        for (const auto& place : line) {
            if (place.node != no_node) out += name(place.node);
            else if (place.text.empty()) continue;
            else out += place.text;
            out += ' ';
        }
        return out += ".\n";
    }

    void name_nodes() {
        auto count = nodes_.size();
        issued_.emplace('c', count);
        first_.resize(count);
        std::map<std::string_view, std::vector<Node>> by_hash;
        for (std::size_t i = 0; i < count; i++) {
            first_[i] = first_degree(static_cast<Node>(i));
            by_hash[first_[i]].push_back(static_cast<Node>(i));
        }
        for (const auto& [hash, nodes] : by_hash)
            if (nodes.size() == 1) issued_->give(nodes[0]);
        for (const auto& [hash, nodes] : by_hash) {
            if (nodes.size() == 1) continue;
            std::vector<Path> paths;
            for (auto node : nodes) {
                if (issued_->has(node)) continue;
                work(1 + count / 16);  // the room that all names take
                Names names('b', count);
                names.give(node);
                paths.push_back(n_degree(node, std::move(names), 0));
            }
            std::ranges::stable_sort(paths, {}, &Path::hash);
            for (const auto& path : paths)
                for (auto node : path.names.order()) issued_->give(node);
        }
    }

    std::string first_degree(Node node) const {
        std::vector<std::string> lines;
        for (auto i : lines_of_[static_cast<std::size_t>(node)])
            lines.push_back(written(lines_[i], [&](Node other) { return other == node ? "_:a" : "_:z"; }));
        std::ranges::sort(lines);
        std::string all;
        for (const auto& line : lines) all += line;
        return base::sha256_hex(all);
    }

    std::string related(Node node, const Line& line, std::size_t at, const Names& names) const {
        std::string in(1, at == subject ? 's' : at == object ? 'o' : 'g');
        if (at != graph) in += line[predicate].text;
        if (issued_->has(node)) in += issued_->name(node);
        else if (names.has(node)) in += names.name(node);
        else in += first_[static_cast<std::size_t>(node)];
        return base::sha256_hex(in);
    }

    void work(std::size_t amount) {
        if ((spent_ += amount) > max_work) throw Failure("graph too complex");
    }

    Path n_degree(Node node, Names names, std::size_t depth) {
        if (depth > max_depth) throw Failure("graph too complex");
        std::map<std::string, std::vector<Node>> groups;
        for (auto i : lines_of_[static_cast<std::size_t>(node)]) {
            work(1);
            for (auto at : {subject, object, graph}) {
                auto other = lines_[i][at].node;
                if (other == no_node || other == node) continue;
                groups[related(other, lines_[i], at, names)].push_back(other);
            }
        }
        std::string in;
        for (auto& [hash, nodes] : groups) {
            std::ranges::sort(nodes);
            std::optional<Path> best;
            do {
                work(1 + nodes_.size() / 16);
                if (auto path = try_path(nodes, names, depth, best)) best = std::move(path);
            } while (std::ranges::next_permutation(nodes).found);
            in += hash;
            in += best->hash;
            names = std::move(best->names);
        }
        return {base::sha256_hex(in), std::move(names)};
    }

    // The path through `nodes` in this order, unless it cannot be before `best`.
    std::optional<Path> try_path(
        const std::vector<Node>& nodes, Names names, std::size_t depth, const std::optional<Path>& best
    ) {
        std::string path;
        auto loses = [&] { return best && path.size() >= best->hash.size() && path > best->hash; };
        std::vector<Node> open;
        for (auto node : nodes) {
            if (issued_->has(node)) {
                path += issued_->name(node);
            } else {
                if (!names.has(node)) {
                    open.push_back(node);
                    names.give(node);
                }
                path += names.name(node);
            }
            if (loses()) return std::nullopt;
        }
        for (auto node : open) {
            path += names.name(node);
            auto deeper = n_degree(node, std::move(names), depth + 1);
            path += '<' + deeper.hash + '>';
            names = std::move(deeper.names);
            if (loses()) return std::nullopt;
        }
        if (best && path >= best->hash) return std::nullopt;
        return Path{std::move(path), std::move(names)};
    }

    std::unordered_map<std::string, Node> nodes_;
    std::vector<Line> lines_;
    std::vector<std::vector<std::size_t>> lines_of_;
    std::vector<std::string> first_;
    std::optional<Names> issued_;
    std::size_t spent_ = 0;
};

}  // namespace

std::string canonical(std::span<const Quad> quads, Spelling spelling) {
    return Canonical(quads, spelling).text();
}

}  // namespace ap::ld
