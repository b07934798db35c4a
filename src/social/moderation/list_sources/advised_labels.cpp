// SPDX-License-Identifier: AGPL-3.0-or-later
// The servers about which a source advises bear the label that staff gave it, for as long as it advises, staff goes along with what it
// says, and the label is there.
#include "social/labels/use.hpp"
#include "social/moderation/list_sources/accepted.hpp"
#include "social/moderation/list_sources/source.hpp"

#include <map>
#include <set>

namespace moderation {

namespace {

// One server and what becomes of its label.
struct Labelling {
    std::vector<std::string> put;
    std::vector<labels::LabelledServer> take;
    std::string after;  // where it goes on; empty: nowhere
};

std::set<std::string> advised(db::Read& db, const ListSource& source) {
    std::set<std::string> out;
    for (auto& one : copy_of(db, source.id))
        if (one.about == AdviceAbout::domain && one.type == AdviceType::advisory)
            out.insert(std::move(one.key));
    std::erase_if(out, [accepted = AcceptedDomains(db)](const std::string& one) {
        return accepted.touched_by(one);
    });
    while (out.size() > labels::most_labelled_servers) out.erase(std::prev(out.end()));
    return out;
}

Labelling labelling(
    std::set<std::string> wanted, labels::LabelId label, const std::vector<labels::LabelledServer>& there,
    const std::string& after
) {
    std::map<std::string, std::vector<labels::LabelledServer>> gone;
    for (const auto& one : there)
        if (one.label_id != label || wanted.erase(one.domain) == 0) gone[one.domain].push_back(one);
    std::set<std::string> all(wanted);
    for (const auto& [domain, some] : gone) all.insert(domain);
    Labelling out;
    constexpr std::size_t chunk = 500;
    std::size_t done = 0;
    for (auto at = all.upper_bound(after); at != all.end(); ++at) {
        if (done++ == chunk) return out;
        out.after = *at;
        if (wanted.contains(*at)) out.put.push_back(*at);
        if (const auto found = gone.find(*at); found != gone.end())
            out.take.insert(out.take.end(), found->second.begin(), found->second.end());
    }
    out.after.clear();
    return out;
}

}  // namespace

jobs::Change label_advised(db::Read& db, const LabellingContinued& e) {
    const labels::Source by{labels::UseSource::list, e.source.value};
    const auto source = find_list_source(db, e.source);
    if (source && source->hold != SourceHold::none) return {};
    const auto label = source ? source->label_id.value_or(labels::LabelId{}) : labels::LabelId{};
    const auto table = labels::table(db);
    const bool labels_some = label && table && table->find(label) && source->mode != SourceMode::group;
    auto next = labelling(
        labels_some ? advised(db, *source) : std::set<std::string>(),
        label,
        labels::servers_labelled_by(db, by),
        e.after
    );
    if (next.put.empty() && next.take.empty() && next.after.empty()) return {};
    return [=, source = e.source, next = std::move(next)](db::Write& db) {
        const auto now = find_list_source(db, source);
        const bool as_read =
            !next.put.empty() && now && now->hold == SourceHold::none && now->label_id == label;
        labels::take_from_servers(db, next.take, by);
        if (as_read) labels::put_on_servers(db, label, next.put, by);
        if (!next.after.empty()) db.emit(LabellingContinued{source, next.after});
    };
}

}  // namespace moderation
