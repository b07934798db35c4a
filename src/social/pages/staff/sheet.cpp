// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/staff/sheet.hpp"

namespace pages {

namespace {

using instance::View;

void add_fact(View& view, const Fact& fact) {
    auto& shown = view.add("FACT").say("LABEL", fact.label);
    if (fact.said.empty()) shown.set("VALUE", fact.value);
    else shown.say("VALUE", fact.said);
}

void add_options(View& view, const Field& field) {
    for (const auto& option : field.options) {
        auto& shown = view.add("OPTION").set("WORD", option.value);
        if (option.name.empty()) shown.set("NAME", option.shown);
        else shown.say("NAME", option.name);
        if (!option.meaning.empty()) shown.add("MEANING").say("TEXT", option.meaning);
        for (const auto& fact : option.facts) add_fact(shown, fact);
        bool chosen = field.kind == Field::Kind::boxes ? option.chosen : option.value == field.value;
        shown.show_if(chosen, "CHOSEN");
    }
}

// The section of the template for a kind of field, and the type of its input.
std::pair<std::string_view, std::string_view> section_of(Field::Kind kind) {
    using enum Field::Kind;
    switch (kind) {
        case line: return {"LINE", "text"};
        case number: return {"LINE", "number"};
        case day: return {"LINE", "date"};
        case secret: return {"LINE", "password"};
        case file: return {"FILE", {}};
        case area: return {"AREA", {}};
        case box: return {"BOX", {}};
        case boxes: return {"BOXES", {}};
        case radios: return {"RADIOS", {}};
        case list: break;
    }
    return {"LIST", {}};
}

// `form`: its number on the page, so that no two fields have the same id.
void add_field(View& view, const Field& field, std::size_t form) {
    auto [section, type] = section_of(field.kind);
    auto& shown = view.add("FIELD").add(section);
    shown.set("FIELD_ID", std::string(field.name) + "_" + std::to_string(form))
        .set("FIELD_NAME", field.name)
        .set("TYPE", type)
        .say("LABEL", field.label)
        .set("VALUE", field.value)
        .set("ACCEPT", field.accept);
    if (!field.hint.empty()) shown.add("FIELD_HINT").say("TEXT", field.hint);
    shown.show_if(field.required, "REQUIRED");
    if (field.kind == Field::Kind::box) shown.show_if(!field.value.empty(), "TICKED");
    add_options(shown, field);
}

View& add_form(View& view, std::string_view section, const Form& form) {
    auto& shown = view.add(section).set("ACTION", form.action).say("BUTTON", form.button);
    shown.set("LOOK", form.look).show_if(form.with_file, "WITH_FILE");
    shown.add(form.asks ? "ASKS" : "CHANGES");
    for (const auto& one : form.hidden)
        shown.add("HIDDEN").set("FIELD_NAME", one.name).set("VALUE", one.value);
    return shown;
}

void add_row(View& view, const Row& row) {
    auto& shown = view.add("ROW");
    if (row.url.empty()) shown.add("PLAIN");
    else shown.add("LINKED").set("URL", row.url);
    if (!row.url.empty()) shown.add("LINKED_END");
    else shown.add("PLAIN_END");
    if (row.said.empty()) shown.set("NAME", row.name);
    else shown.say("NAME", row.said);
    for (auto state : row.states) shown.add("STATE").say("TEXT", state);
    for (const auto& fact : row.facts) add_fact(shown, fact);
    if (!row.picture.empty()) shown.add("PICTURE").set("URL", row.picture);
    if (!row.hint.empty()) shown.add("ROW_HINT").set("TEXT", row.hint);
    if (!row.words.empty()) shown.add("WORDS").set("TEXT", row.words);
    if (!row.more.empty()) shown.add("MORE").set("TEXT", row.more);
    if (row.forms.empty()) return;
    auto& buttons = shown.add("BUTTONS");
    for (const auto& form : row.forms) add_form(buttons, "ROW_FORM", form);
}

}  // namespace

http::Response sheet(
    db::Read& db, const http::Request& request, const Member& who, const StaffPart& part,
    std::string_view title, const std::vector<Panel>& panels, std::string_view problem
) {
    View view;
    std::size_t forms = 0;
    for (const auto& panel : panels) {
        auto& shown = view.add("PANEL");
        if (!panel.title.empty()) shown.add("TITLED").say("TITLE", panel.title);
        shown.show_if(!panel.title.empty(), "TITLED_END");
        if (!panel.hint.empty()) shown.add("PANEL_HINT").say("TEXT", panel.hint);
        if (panel.link) shown.add("LINK").set("URL", panel.link->first).say("NAME", panel.link->second);
        if (!panel.facts.empty()) {
            auto& facts = shown.add("FACTS");
            for (const auto& fact : panel.facts) add_fact(facts, fact);
        }
        add_covered(db, shown, panel.posts, panel.posts_lead_on);
        for (const auto& form : panel.forms) {
            auto& made = add_form(shown, "FORM", form);
            for (const auto& field : form.fields) add_field(made, field, forms);
            ++forms;
        }
        if (panel.rows) {
            shown.show_if(panel.rows->empty(), "NO_ROWS");
            auto& rows = shown.add("ROWS");
            for (const auto& row : *panel.rows) add_row(rows, row);
        }
        if (!panel.older.empty()) shown.add("OLDER").set("URL", panel.older);
    }
    return staff_page(db, request, who, &part, "staff_sheet", title, problem, std::move(view));
}

}  // namespace pages
