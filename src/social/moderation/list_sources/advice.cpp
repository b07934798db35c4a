// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/list_sources/advice.hpp"

#include "base/text/utf8.hpp"

#include <algorithm>

namespace moderation {

namespace {

using instance::ListRule, instance::Severity;

constexpr std::size_t longest_comment = 1000;
constexpr std::string_view silencing[] = {"auto-unlisted", "require-follow-requests"};
constexpr std::string_view rejecting_media = "reject-media";
constexpr std::string_view rejecting_reports[] = {"reject-reports", "ignore-reports"};

bool names(const Advice& advice, std::string_view filter) {
    return std::ranges::find(advice.filters, filter) != advice.filters.end();
}

bool names_any(const Advice& advice, std::span<const std::string_view> filters) {
    return std::ranges::any_of(filters, [&](std::string_view one) { return names(advice, one); });
}

}  // namespace

std::optional<ListRule> rule_of(const Advice& advice, Ceiling ceiling) {
    if (advice.about != AdviceAbout::domain || advice.type != AdviceType::recommendation) return {};
    ListRule out;
    out.domain = advice.key;
    out.obfuscate = advice.obfuscate;
    out.severity = Severity::noop;
    if (!advice.comment.empty()) out.public_comment = advice.comment;
    switch (advice.policy) {
        case AdvicePolicy::none:
        case AdvicePolicy::accept: return {};
        case AdvicePolicy::drop:
        case AdvicePolicy::reject:
            out.severity = ceiling == Ceiling::suspend ? Severity::suspend : Severity::silence;
            return out;
        case AdvicePolicy::filter: break;
    }
    if (names_any(advice, silencing)) out.severity = Severity::silence;
    out.reject_media = names(advice, rejecting_media);
    out.reject_reports = names_any(advice, rejecting_reports);
    if (out.severity == Severity::noop && !out.reject_media && !out.reject_reports) return {};
    return out;
}

bool accepts(const Advice& advice) {
    return advice.about == AdviceAbout::domain && advice.type == AdviceType::recommendation &&
           advice.policy == AdvicePolicy::accept;
}

Advice advice_of(const ListRule& rule) {
    Advice out;
    out.key = rule.domain;
    out.obfuscate = rule.obfuscate;
    out.comment = base::text::clean_utf8(rule.public_comment.value_or("").substr(0, longest_comment));
    out.policy = rule.severity == Severity::suspend ? AdvicePolicy::drop : AdvicePolicy::filter;
    if (out.policy == AdvicePolicy::drop) return out;
    if (rule.severity == Severity::silence) out.filters.emplace_back(silencing[0]);
    if (rule.reject_media) out.filters.emplace_back(rejecting_media);
    if (rule.reject_reports) out.filters.emplace_back(rejecting_reports[0]);
    return out;
}

Copy copy_of(const ServerList& list) {
    Copy out;
    for (const auto& rule : list.rules) out.push_back(advice_of(rule));
    std::ranges::sort(out, {}, &Advice::key);
    return out;
}

}  // namespace moderation
