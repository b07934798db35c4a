// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON-LD 1.1 expansion: a document without its contexts, every property an IRI and every value a list.
#pragma once
#include "ap/ld/context.hpp"

#include <boost/json/array.hpp>

namespace ap::ld {

struct ExpandOptions {
    std::string base;  // what relative IRIs are resolved against; empty: nothing
};

// Throws Failure with the code of the specification. Documents are at most 32 deep, as the parser lets them be.
boost::json::array expand(const boost::json::value& document, Work&, const ExpandOptions& = {});

// What `text`, as the value of `property`, says in an expanded document.
boost::json::object expand_value(const Context&, std::string_view property, const boost::json::value& scalar);

// Of expanded documents:
bool is_value(const boost::json::value&);
bool is_list(const boost::json::value&);
bool is_graph(const boost::json::value&);
bool is_node(const boost::json::value&);

}  // namespace ap::ld
