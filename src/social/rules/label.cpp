// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/rules/label.hpp"

#include "social/labels/use.hpp"

namespace rules {

namespace {

std::vector<std::string> names_of(const labels::Table& table, const std::vector<labels::LabelId>& ids) {
    std::vector<std::string> out;
    for (const auto id : ids)
        if (const auto* one = table.find(id)) out.push_back(one->name);
    return out;
}

labels::Source source(RuleId rule) { return {labels::UseSource::rule, rule.value}; }

}  // namespace

std::vector<std::string> labels_of(db::Read& db, AccountId account) {
    const auto table = labels::table(db);
    if (!table) return {};
    return names_of(*table, labels::labels_on(db, labels::Bearer::of(account)));
}

std::vector<std::string> labels_of_server(db::Read& db, std::string_view domain) {
    const auto table = labels::table(db);
    if (!table) return {};
    return names_of(*table, table->on_server(domain));
}

void put_label(db::Write& db, AccountId account, const std::string& label, RuleId rule) {
    labels::put(db, labels::label_called(db, label), labels::Bearer::of(account), source(rule));
}

bool take_label(db::Write& db, AccountId account, const std::string& label, RuleId rule) {
    const auto known = labels::find_label(db, label);
    return known && labels::take_of(db, known->id, labels::Bearer::of(account), source(rule));
}

void require_labels(db::Read& db, const Definition& rule) {
    for (const auto& action : rule.then)
        if (action.act == RuleAct::label) labels::require_label(db, action.text);
}

}  // namespace rules
