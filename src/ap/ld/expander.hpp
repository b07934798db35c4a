// SPDX-License-Identifier: AGPL-3.0-or-later
// The walk of expand(): one call per value of the document.
#pragma once
#include "ap/ld/expand.hpp"

namespace ap::ld {

boost::json::array to_array(boost::json::value);
// Adds what `value` is, or holds when it is a list, to the list that is the member `key`.
void append(boost::json::object& to, std::string_view key, boost::json::value value);

class Expander {
public:
    explicit Expander(Work& work) : work_(work) {}

    using Property = std::optional<std::string_view>;
    boost::json::value element(
        const ContextPtr& active, Property property, const boost::json::value& value, bool from_map
    );

private:
    struct Frame {
        ContextPtr active, types_in;
        Property property;
        std::string input_type;
        boost::json::object out;
    };

    boost::json::value node(
        ContextPtr active, Property property, const boost::json::object& said, bool from_map
    );
    void read_types(Frame&, const boost::json::object& said);
    void members(Frame&, const boost::json::object& said);
    boost::json::value finish(boost::json::object out, Property property);

    void keyword(Frame&, std::string_view word, const boost::json::value& value);
    boost::json::value types(const Frame&, const boost::json::value& value);
    void included(Frame&, const boost::json::value& value);
    void value_of(Frame&, const boost::json::value& value);
    void reverse(Frame&, const boost::json::value& value);

    void property(Frame&, std::string_view key, const std::string& iri, const boost::json::value& value);
    boost::json::array language_map(const Frame&, const Definition&, const boost::json::object& value);
    boost::json::array index_map(
        const Frame&, std::string_view key, const Definition&, const boost::json::object& value
    );
    void enter_index(const Context&, const Definition&, std::string_view index, boost::json::object& item);
    static void append_reverse(boost::json::object& out, std::string_view iri, boost::json::value items);

    Work& work_;
};

}  // namespace ap::ld
