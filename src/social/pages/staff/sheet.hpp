// SPDX-License-Identifier: AGPL-3.0-or-later
// A page of the team that is made of panels: each has a heading, facts, forms and rows, whichever it needs. One template
// (staff_sheet.html) shows them all, so that a page says what is on it and not how that looks. Names and sentences are ours and said
// in the language of the reader (View::say); values are shown as they are.
#pragma once
#include "http/errors.hpp"
#include "http/route.hpp"
#include "social/pages/shown.hpp"
#include "social/pages/staff/staff_page.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace pages {

struct Fact {
    std::string_view label;
    std::string value;
    std::string_view said = {};  // ours, instead of the value
};

struct Option {
    std::string value;
    std::string_view name;   // ours; or, where there is none,
    std::string shown = {};  // as it is
    std::string_view meaning = {};
    bool chosen = false;  // of one of several boxes
    std::vector<Fact> facts = {};
};

struct Field {
    enum class Kind { line, number, day, secret, file, area, box, boxes, radios, list } kind = Kind::line;
    std::string_view name, label;
    std::string value = {};  // of a box: anything, where it is ticked
    bool required = false;
    std::string_view hint = {};
    std::vector<Option> options = {};
    std::string_view accept = {};  // of a file
};

// What goes with a form and is not shown.
struct Hidden {
    std::string_view name;
    std::string value;
};

struct Form {
    std::string action;
    std::string_view button;
    std::vector<Field> fields = {};
    std::vector<Hidden> hidden = {};
    std::string_view look = "button";  // of its button: "quiet", "negative"
    bool with_file = false;
    bool asks = false;  // nothing is changed: it is sent as a part of the address
};

struct Row {
    std::string name;
    std::string url = {};                       // where it leads to
    std::string_view said = {};                 // ours, instead of the name
    std::vector<std::string_view> states = {};  // ours
    std::vector<Fact> facts = {};
    std::string hint = {}, words = {}, picture = {};
    std::string more = {};         // closed until somebody looks; not of a row that leads somewhere
    std::vector<Form> forms = {};  // each a button, without fields
};

struct Panel {
    std::string_view title = {}, hint = {};
    std::vector<Fact> facts = {};
    std::vector<Shown> posts = {};  // covered
    bool posts_lead_on = true;      // each to its own page
    std::vector<Form> forms = {};
    std::optional<std::vector<Row>> rows = {};
    std::string older = {};  // where the list goes on
    // A way to another page: its address and name.
    std::optional<std::pair<std::string, std::string_view>> link = {};
};

http::Response sheet(
    db::Read&, const http::Request&, const Member&, const StaffPart&, std::string_view title,
    const std::vector<Panel>&, std::string_view problem = {}
);

// Runs a change that a form asks for: what is refused with a sentence is shown by `page`, with what was given, and everything that the
// change had done until then is undone.
template <class Page, class Change>
http::Response tried(std::string_view back, std::string_view what, const Page& page, const Change& change) {
    try {
        change();
    } catch (const base::Invalid& refused) {
        throw http::Refusal(page(sentence_of(refused)));
    }
    return done(back, what);
}

// A page of a list, by the ids of its rows.
struct From {
    std::optional<std::int64_t> max_id;

    base::Range range(int limit) const {
        base::Range out;
        out.limit = limit;
        if (max_id) out.below = *max_id;
        return out;
    }
};
DESCRIBE(From, max_id)

// Where a full page goes on; else empty. `cursor`: another name where a page has several lists.
template <class Rows>
std::string older(const std::string& path, const Rows& rows, int limit, std::string_view cursor = "max_id") {
    if (std::ssize(rows) < limit) return {};
    return path + "?" + std::string(cursor) + "=" + std::to_string(rows.back().id.value);
}

// A form that names one thing, by its address.
template <class Id>
struct One {
    Id id;
    std::string authenticity_token;
    BOOST_DESCRIBE_CLASS(One, (), (id, authenticity_token), (), ())
};

// What a button does to the thing that its form names, by a function of staff.
template <const StaffPart& Part, auto Act, class Id, const char* What>
http::Response act_on(db::Write& db, const http::Request& request, const One<Id>& form) {
    auto who = member(db, request, Part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    Act(db, who.actor, form.id);
    return done(address_of(Part), What);
}
inline constexpr char saved[] = "saved", added[] = "added", removed[] = "removed", undone[] = "undone",
                      published[] = "published";

}  // namespace pages
