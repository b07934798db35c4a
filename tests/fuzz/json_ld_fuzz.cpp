// SPDX-License-Identifier: AGPL-3.0-or-later
// Whatever a document says, it expands to quads within their bounds, or is given up; and what is compacted of it says
// the same when it is read again.
#include "ap/ld/expand.hpp"
#include "ap/ld/to_rdf.hpp"
#include "ap/signatures/ld_signature.hpp"

#include <boost/json/parse.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    boost::json::error_code error;
    auto document = boost::json::parse({data, size}, error);
    if (error) return 0;
    try {
        ap::ld::Work work;
        auto quads = ap::ld::to_rdf(ap::ld::expand(document, work), work);
        if (quads.size() > ap::ld::max_quads) std::abort();
        auto text = ap::ld::canonical(quads);
        if (!text.empty() && text.back() != '\n') std::abort();
    } catch (const ap::ld::Failure&) {}
    auto* node = document.if_object();
    if (!node) return 0;
    ap::ld::creator_of(*node);
    auto compacted = ap::ld::compacted(*node);
    if (compacted && (!compacted->document.contains("@context") || compacted->document.size() < 2))
        std::abort();
    return 0;
}
