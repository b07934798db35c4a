// SPDX-License-Identifier: AGPL-3.0-or-later
// The quads that an expanded document says.
#pragma once
#include "ap/ld/context.hpp"

#include <boost/json/array.hpp>

namespace ap::ld {

constexpr std::size_t max_quads = 5'000;

// What is no RDF is left out: relative IRIs, properties that are blank nodes. Throws Failure beyond the limits.
std::vector<Quad> to_rdf(const boost::json::array& expanded, Work&);

}  // namespace ap::ld
