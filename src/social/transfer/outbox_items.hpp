// SPDX-License-Identifier: AGPL-3.0-or-later
// The items of a collection of any length, one after the other: what is in memory is one of them.
#pragma once
#include "social/transfer/zip.hpp"

#include <array>

namespace transfer {

class OutboxItems {
public:
    explicit OutboxItems(ZipReader::Member member) : member_(std::move(member)) {}

    // The JSON of the next one; empty: it is too long to be read. Nothing: that was the last. Throws Invalid: what comes is
    // no collection.
    std::optional<std::string> next();
    bool pass();  // the same for one that nobody wants to know; false: that was the last

private:
    std::string_view rest();
    int get();
    int after_blanks();
    void string(std::string* into);
    void value(char first, std::string* into);
    bool find_items();
    bool advance(std::string* into);

    ZipReader::Member member_;
    std::array<char, 65'536> buffer_{};
    std::size_t at_ = 0, end_ = 0;
    bool inside_ = false, over_ = false, first_ = true;
};

}  // namespace transfer
