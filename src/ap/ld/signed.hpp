// SPDX-License-Identifier: AGPL-3.0-or-later
// What of a document a linked-data signature covers.
#pragma once
#include "ap/ld/rdf.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace ap::ld {

class Work;

// Expands a document that is signed. Throws Failure for what may not be signed: several nodes at the top, @graph,
// @included and @reverse under whatever name, and a node that is told in several places, for RDF cannot say which
// of them is which.
boost::json::array expand_signed(const boost::json::object& document, Work&);

// Takes out of an expanded document what RDF does not say of it, so that nothing unsigned is left. False when
// nothing is left.
bool keep_said(boost::json::array& expanded);

// The words in which signed documents are read: the document without what is not covered.
boost::json::object compact_signed(const boost::json::array& said, Work&);

// Whether `document` says just what `compacted`, which was made of it, says: then it may be passed on as it is.
bool says_the_same(const boost::json::object& document, const boost::json::object& compacted);

}  // namespace ap::ld
