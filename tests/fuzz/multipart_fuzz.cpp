// SPDX-License-Identifier: AGPL-3.0-or-later
// A multipart body gives the same parameters, or the same refusal, in whatever pieces it arrives.
#include "base/errors.hpp"
#include "http/body/multipart.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string outcome(std::string_view body, std::string_view cuts) {
    http::Params params;
    std::string out;
    try {
        http::Multipart parser("multipart/form-data; boundary=B", "/dev/shm", params);
        for (std::size_t i = 0; !body.empty(); ++i) {
            auto length =
                cuts.empty() ? body.size() : static_cast<unsigned char>(cuts[i % cuts.size()]) % 23u;
            if (length == 0) length = 1;
            parser.feed(body.substr(0, length));
            body.remove_prefix(std::min(body.size(), length));
        }
        parser.finish();
    } catch (const base::BadRequest& error) {
        out = error.what();
    }
    for (const auto& [name, value, upload, nothing, unpacked] : params.entries()) {
        out += name + '=' + value + '\n';
        if (!upload) continue;
        std::ifstream file(*upload->file, std::ios::binary);
        std::string content(std::istreambuf_iterator<char>(file), {});
        if (content.size() != upload->size) std::abort();
        out += upload->filename + ':' + upload->content_type + ':' + content + '\n';
    }
    return out;
}

}  // namespace

// The first byte says how many bytes after it are the lengths of the pieces.
extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    if (size == 0) return 0;
    std::string_view input(data + 1, size - 1);
    auto cuts = input.substr(0, 1u + static_cast<unsigned char>(data[0]) % 8u);
    auto body = input.substr(cuts.size());
    if (outcome(body, "") != outcome(body, cuts)) std::abort();
    return 0;
}
