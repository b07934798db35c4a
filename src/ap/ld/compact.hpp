// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON-LD 1.1 compaction: an expanded document in the terms of a context.
#pragma once
#include "ap/ld/inverse.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace ap::ld {

struct CompactOptions {
    bool arrays = true;            // lists of one item become the item
    bool relative_to_base = true;  // IRIs are shortened against the base
};

// A context that many documents are compacted with, with its reverse.
struct Vocabulary {
    explicit Vocabulary(ContextPtr all)
        : context(std::move(all)), inverse(std::make_shared<Inverse>(*context)) {}
    ContextPtr context;
    std::shared_ptr<const Inverse> inverse;
};

// Without "@context"; several top-level nodes stand in "@graph". Throws Failure with the code of the specification.
boost::json::object compact(
    const boost::json::array& expanded, const Vocabulary&, Work&, const CompactOptions& = {}
);

}  // namespace ap::ld
