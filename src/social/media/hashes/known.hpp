// SPDX-License-Identifier: AGPL-3.0-or-later
// All lists of pictures in memory, for looking up each new picture.
#pragma once
#include "social/media/hashes/hash_list.hpp"
#include "social/media/store.hpp"

#include <memory>

namespace media {

struct KnownPicture {
    HashList list;
    std::optional<int> distance;  // nullopt: the bytes are identical
};

class KnownPictures {
public:
    struct List {
        HashList list;
        Hashes hashes;
    };
    explicit KnownPictures(std::vector<List> lists) : lists_(std::move(lists)) {}

    // Looks the picture up, first in lists that quarantine, except the waived ones. Takes milliseconds for a
    // million hashes.
    std::optional<KnownPicture> find(const std::vector<Print>&, const std::vector<HashListId>& waived = {})
        const;
    std::optional<KnownPicture> find(const std::vector<Print>&, HashListId) const;
    const List* list(HashListId) const;   // null: no such list
    std::int64_t size(HashListId) const;  // 0: no such list

private:
    std::vector<List> lists_;
};

// Null if there is no list.
std::shared_ptr<const KnownPictures> known_pictures(db::Read&);

}  // namespace media
