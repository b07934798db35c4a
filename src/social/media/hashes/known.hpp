// SPDX-License-Identifier: AGPL-3.0-or-later
// All lists of pictures in memory, to be looked through for each picture that comes.
#pragma once
#include "social/media/hashes/hash_list.hpp"
#include "social/media/store.hpp"

#include <memory>

namespace media {

struct KnownPicture {
    HashList list;
    std::optional<int> distance;  // none: the same bytes
};

class KnownPictures {
public:
    struct List {
        HashList list;
        Hashes hashes;
    };
    explicit KnownPictures(std::vector<List> lists) : lists_(std::move(lists)) {}

    // Whether one of them is that picture, of lists that quarantine first; of these the waived ones are not asked. Takes milliseconds
    // where there are a million.
    std::optional<KnownPicture> find(const std::vector<Print>&, const std::vector<HashListId>& waived = {})
        const;
    std::optional<KnownPicture> find(const std::vector<Print>&, HashListId) const;
    const List* list(HashListId) const;   // null: there is no such list
    std::int64_t size(HashListId) const;  // 0: there is no such list

private:
    std::vector<List> lists_;
};

// Null without a list.
std::shared_ptr<const KnownPictures> known_pictures(db::Read&);

}  // namespace media
