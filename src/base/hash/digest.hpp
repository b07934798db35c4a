// SPDX-License-Identifier: AGPL-3.0-or-later
// SHA-256 of data that does not fit in memory.
#pragma once
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace base {

class Digest {
public:
    Digest();
    void add(std::string_view bytes);
    std::string hex();  // finishes

private:
    struct End {
        void operator()(evp_md_ctx_st*) const;
    };
    std::unique_ptr<evp_md_ctx_st, End> context_;
};

}  // namespace base
