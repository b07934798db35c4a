// SPDX-License-Identifier: AGPL-3.0-or-later
// Builds a context out of the one below it and what a document says.
#pragma once
#include "ap/ld/context.hpp"

namespace ap::ld {

class Processor {
public:
    Processor(ContextPtr active, Work& work, Processing how)
        : active_(std::move(active)), work_(work), how_(how) {}

    ContextPtr process(const boost::json::value& local);

    static std::optional<std::string> expand(
        const Context&, std::string_view word, IriOptions, Processor* defining = nullptr
    );

private:
    enum class State { open, done };

    void start();
    void apply(const boost::json::value& local);
    void apply_bundled(std::string_view url);
    void apply_nothing();
    void apply_members(const boost::json::object& local);
    void read_base(const boost::json::value&);
    void read_vocabulary(const boost::json::value&);

    void define_if_local(std::string_view term);
    void define(std::string_view term);
    std::optional<Definition> read(std::string_view term, const boost::json::value& value);
    bool read_iri(std::string_view term, const boost::json::object& value, bool simple, Definition&);
    bool read_reverse(const boost::json::object& value, Definition&);
    void read_type(const boost::json::object& value, Definition&);
    void read_containers(const boost::json::object& value, Definition&);
    void read_rest(std::string_view term, const boost::json::object& value, Definition&);
    std::optional<std::string> expand_here(std::string_view word) {
        return expand(*result_, word, {.vocabulary = true}, this);
    }

    ContextPtr active_;
    Work& work_;
    Processing how_;
    std::shared_ptr<Context> result_;
    bool inside_bundled_ = false;

    // While the members of one local context are read:
    const boost::json::object* local_ = nullptr;
    std::map<std::string, State, std::less<>> states_;
    bool protected_ = false;
};

}  // namespace ap::ld
