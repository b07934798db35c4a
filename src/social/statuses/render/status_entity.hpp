// SPDX-License-Identifier: AGPL-3.0-or-later
// The Status entity. Facts of any number of statuses become JSON; a single status is a list of one. What is
// the same for every viewer is rendered once per (id, version) and cached; the account and the viewer's own
// state are inserted. The number of queries does not depend on the number of statuses.
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
// The same, appended to `out`.
void append_list(std::string& out, db::Read&, const Audience&, std::span<const VisibilityFacts>);
// The JSON of each, in the order given, for entities that contain a status.
std::vector<std::string> json_each(db::Read&, const Audience&, std::span<const VisibilityFacts>);
std::string json(db::Read&, const Audience&, const VisibilityFacts&);

// For statuses that are embedded one by one in other entities: loads what all of them need at once, and
// writes each one where it belongs. The audience must outlive the page.
class Page {
public:
    Page(db::Read&, const Audience&, std::span<const VisibilityFacts>);
    ~Page();
    bool append(std::string& out, const VisibilityFacts&)
        const;  // false: it no longer exists, and nothing was written
    void append_list(std::string& out, std::span<const VisibilityFacts>) const;
    std::size_t weight(std::span<const VisibilityFacts>) const;  // their approximate size in bytes

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

// Its Quote; nullopt if it quotes nothing.
std::optional<std::string> quote_json(db::Read&, const Audience&, const VisibilityFacts&);

// For delete and redraft: `text` with the source instead of `content`.
std::string json_with_source(db::Read&, const Audience&, const VisibilityFacts&);

// Entity StatusEdit.

// The history of a status as a JSON array; the caller has decided visibility.
std::string history_json(db::Read&, const Audience&, const VisibilityFacts&);

void describe_edit(base::json::Components&);  // for OpenAPI

// One status for many viewers, for streams: viewers with equal results share one rendering.
struct ForMany {
    std::vector<std::string> texts;
    std::vector<std::size_t> of_viewer;  // index into `texts`
};

// What json() returns for each viewer. All of them must be allowed to see it.
ForMany json_for_many(db::Read&, const VisibilityFacts&, const std::vector<const Audience*>& viewers);

}  // namespace statuses
