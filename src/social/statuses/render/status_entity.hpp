// SPDX-License-Identifier: AGPL-3.0-or-later
// The Status entity. One entrance: facts of any number of statuses become JSON, one status being a list of one.
// What is the same for everybody is rendered once per (id, version) and kept; the account and the viewer's own
// marks are spliced in. The number of queries does not depend on the number of statuses.
#pragma once
#include "base/schema.hpp"
#include "social/statuses/core/visibility.hpp"
#include "social/statuses/writing/edit.hpp"

#include <memory>
#include <span>
#include <string>

namespace statuses {

// JSON array of Status, in the order given; the caller has decided visibility.
std::string json_list(db::Read&, const Audience&, std::span<const VisibilityFacts>);
// The same, written behind what stands there already.
void append_list(std::string& out, db::Read&, const Audience&, std::span<const VisibilityFacts>);
// JSON of each, in the order given, for entities that hold a status among other things.
std::vector<std::string> json_each(db::Read&, const Audience&, std::span<const VisibilityFacts>);
std::string json(db::Read&, const Audience&, const VisibilityFacts&);

// Statuses that stand one by one among other things: what all of them need is asked for at once, and each is written
// where it belongs. The audience has to live as long.
class Page {
public:
    Page(db::Read&, const Audience&, std::span<const VisibilityFacts>);
    ~Page();
    bool append(std::string& out, const VisibilityFacts&)
        const;  // false: it is gone, and nothing was written
    void append_list(std::string& out, std::span<const VisibilityFacts>) const;
    std::size_t weight(std::span<const VisibilityFacts>) const;  // about how many bytes they become

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

// What it quotes: a Quote; nothing when it quotes nothing.
std::optional<std::string> quote_json(db::Read&, const Audience&, const VisibilityFacts&);

// For delete and redraft: `text` with the source instead of `content`.
std::string json_with_source(db::Read&, const Audience&, const VisibilityFacts&);

// Entity StatusEdit.

// The history of a status as a JSON array; the caller has decided visibility.
std::string history_json(db::Read&, const Audience&, const VisibilityFacts&);

void describe_edit(base::json::Components&);  // for OpenAPI

// One status for many viewers, as streams need it: rendered once for all whose answers are the same.
struct ForMany {
    std::vector<std::string> texts;
    std::vector<std::size_t> of_viewer;  // which of the texts is theirs
};

// What json() answers each of them, who all may see it.
ForMany json_for_many(db::Read&, const VisibilityFacts&, const std::vector<const Audience*>& viewers);

}  // namespace statuses
