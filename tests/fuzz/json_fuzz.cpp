// SPDX-License-Identifier: AGPL-3.0-or-later
// Whatever is in a JSON body, it becomes parameters within their bounds, or a refusal.
#include "base/errors.hpp"
#include "http/body/read_params.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    http::Params params;
    try {
        http::read_json({data, size}, params);
    } catch (const base::BadRequest&) {}
    if (params.size() > http::Params::max_count) std::abort();
    for (const auto& entry : params.entries()) {
        auto top = entry.name.substr(0, entry.name.find('['));
        if (entry.name.empty() || entry.name.size() > 2 * http::Params::max_name * 3) std::abort();
        params.inside(top);
        params.items(top);
    }
    return 0;
}
