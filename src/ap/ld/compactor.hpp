// SPDX-License-Identifier: AGPL-3.0-or-later
// The walk of compact(): one call per value of the expanded document.
#pragma once
#include "ap/ld/compact.hpp"

namespace ap::ld {

class Compactor {
public:
    Compactor(const Vocabulary& vocabulary, Work& work, const CompactOptions& options)
        : work_(work), options_(options), first_(vocabulary) {}

    using Property = std::optional<std::string_view>;
    boost::json::value element(ContextPtr active, Property property, const boost::json::value& value);

    struct How {
        bool vocabulary = true, reverse = false;
    };
    std::string iri(
        const ContextPtr&, std::string_view iri, How how, const boost::json::value* value = nullptr
    );

private:
    using json = boost::json::value;
    using object = boost::json::object;

    const Inverse& inverse(const ContextPtr&);
    std::string alias(const ContextPtr& active, std::string_view keyword) { return iri(active, keyword, {}); }
    std::string best_term(const ContextPtr&, std::string_view iri, bool reverse, const json* value);
    std::string short_form(const ContextPtr&, std::string_view iri, const json* value);

    json value_of(const ContextPtr&, Property, const object& value);
    struct Frame {
        ContextPtr active, types_in;
        Property property;
        bool inside_reverse = false;
        object out;
    };
    json node(ContextPtr active, Property property, const object& value);
    void keyword(Frame&, std::string_view word, const json& value);
    void reverse(Frame&, const json& value);
    void items(Frame&, std::string_view iri, const boost::json::array& values);
    void item(Frame&, std::string_view iri, const json& value);
    void graph_item(
        Frame&, object& to, const std::string& term, const Definition&, const object& said, json compacted
    );
    void map_item(
        Frame&, object& to, const std::string& term, const Definition&, const object& said, json compacted
    );
    object& nest(Frame&, const std::string& term);
    static void add(object& to, std::string_view key, json value, bool as_array);

    Work& work_;
    const CompactOptions& options_;
    const Vocabulary& first_;
    std::map<ContextPtr, std::unique_ptr<Inverse>> inverses_;
};

}  // namespace ap::ld
