// SPDX-License-Identifier: AGPL-3.0-or-later
// What came lately, so that rules can ask how often: the last 65,536 posts of at most a day, each as some numbers from which
// nothing can be read. It lives in the memory of one node, takes 14 MB at most and is lost with the process: it is filled
// again by what comes. A rehearsal fills one of its own with the posts of the past, in the order in which they came.
#pragma once
#include "base/hash/keyed_hash.hpp"
#include "base/shared_state.hpp"
#include "base/time.hpp"
#include "social/rules/likeness.hpp"
#include "social/statuses/core/gate.hpp"

#include <vector>

namespace rules {

struct NormalizedText;

// What posts may have in common.
enum class Trace : std::uint8_t { copies, link, link_domain, hashtag, author, server };

// How many of the posts since then have it in common with one post, that one included.
struct Seen {
    std::int64_t posts = 0, authors = 0, servers = 0;
};

class Window {
public:
    static constexpr std::size_t most = 65'536;
    static constexpr std::int64_t longest_minutes = 24 * 60;
    static constexpr int most_counted = 500;
    // What came so much later than it was written says nothing about now: it is not noted.
    static constexpr std::int64_t latest_ms = 3'600'000;

    // The numbers of one post.
    class Traces {
    public:
        Traces() = default;

    private:
        friend class Window;
        static constexpr std::size_t post = 0, author = 1, server = 2, group = 3, links = 4, domains = 8,
                                     tags = 12, parts = 16, all = 24;
        std::array<std::uint32_t, all> keys{};  // 0: none
        base::AccountId by;
        std::int64_t at = 0;
        bool timely = true;
    };

    Traces traces(const statuses::Candidate&, const NormalizedText&) const;
    // The same post, saying the same, is noted once. From now on the traces say whose copy it is.
    void note(Traces&);
    void compare(Traces&) const;  // says whose copy it is, and notes nothing
    // Of traces that were noted or compared. For several links or hashtags: of the one that is seen most.
    Seen seen(const Traces&, Trace, std::int64_t minutes) const;
    // Who wrote the near copies, in that time, each once.
    std::vector<base::AccountId> authors(const Traces&, std::int64_t minutes) const;
    static Sketch sketch_of(const Traces&);

private:
    struct Sighting {
        Traces traces;
        std::array<std::uint32_t, Traces::all> before{};  // the sighting before it in the same bucket
    };
    static constexpr std::size_t buckets = std::size_t{1} << 17;

    template <class Each>
    void walk(std::uint32_t key, int steps, Each&&) const;
    std::uint32_t group_of(const Traces&) const;
    Seen count(std::uint32_t key, std::int64_t since, const Traces&) const;
    static bool is_same(const Traces&, const Traces&);

    base::KeyedHash hash_;
    mutable base::Lock lock_;
    std::vector<Sighting> ring_;        // grows up to `most`, then the oldest makes room
    std::vector<std::uint32_t> heads_;  // by bucket: the last sighting; empty before the first
    std::uint32_t next_ = 1;            // number of the next sighting, which may begin anew
};

}  // namespace rules
