// SPDX-License-Identifier: AGPL-3.0-or-later
// A FIRES server of the stage: a dataset that only grows, its snapshot, and its changes in pages.
#pragma once
#include "internet.hpp"

#include <map>

struct FiresServer {
    std::string base = "https://fires.example/datasets/7";
    std::size_t page = 3;
    std::vector<std::pair<std::string, std::string>> changes;  // of which entity, and the item
    bool old_names = false;  // as the first versions of the reference server wrote

    void advise(
        const std::string& kind, const std::string& key, const std::string& type,
        const std::string& policy = {}, const std::vector<std::string>& filters = {}
    ) {
        auto item = R"({"id":")" + base + "/changes/" + std::to_string(changes.size()) + R"(","type":")" +
                    type + R"(","published":"2026-01-01T00:00:00Z")" + entity(kind, key);
        if (!policy.empty())
            item += "," + in_quotes(old_names ? "recommended_policy" : "recommendedPolicy") + ":" +
                    in_quotes(policy);
        std::string all;
        for (const auto& one : filters)
            all += (all.empty() ? "" : ",") + in_quotes("https://fires.fedimod.org/ns/filters#" + one);
        if (!filters.empty())
            item +=
                "," + in_quotes(old_names ? "recommended_filters" : "recommendedFilters") + ":[" + all + "]";
        changes.emplace_back(kind + " " + key, item + "}");
    }
    void block(const std::string& domain) { advise("Domain", domain, "Recommendation", "drop"); }
    void retract(const std::string& domain) { advise("Domain", domain, "Retraction"); }
    void bury(std::size_t change) {
        changes.emplace_back(
            "", R"({"type":"Tombstone","id":")" + base + "/changes/" + std::to_string(change) + "\"}"
        );
    }

    // Everything that it answers from now on.
    void open() {
        auto& net = internet();
        std::erase_if(net.pages, [&](const auto& one) { return one.first.starts_with(base); });
        net.page(
            base,
            R"({"type":"Dataset","endpoints":{"snapshot":")" + base + R"(/snapshot","changes":")" + base +
                "/changes\"}}"
        );
        net.page(base + "/snapshot", snapshot());
        net.page(base + "/changes", R"({"type":"OrderedCollection","first":")" + cursor(0) + "\"}");
        for (std::size_t from = 0; from < std::max<std::size_t>(changes.size(), 1); ++from) serve(from);
    }

private:
    static std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }
    std::string entity(const std::string& kind, const std::string& key) const {
        if (old_names)
            return R"(,"entity":{"type":)" + in_quotes(kind) + R"(,"value":)" + in_quotes(key) + "}";
        return R"(,"entityKind":)" + in_quotes(kind) + R"(,"entityKey":)" + in_quotes(key);
    }
    std::string cursor(std::size_t from) const { return base + "/changes?since=" + std::to_string(from); }
    std::string snapshot() const {
        std::map<std::string, std::string> latest;
        for (const auto& [entity, item] : changes) latest[entity] = item;
        std::string items;
        for (const auto& [entity, item] : latest) items += (items.empty() ? "" : ",") + item;
        const auto newest = changes.empty() ? "" : R"(,"changes":")" + cursor(changes.size() - 1) + "\"";
        return R"({"type":"OrderedCollection","items":[)" + items + "]" + newest + "}";
    }
    void serve(std::size_t from) {
        std::string items;
        const auto end = std::min(from + page, changes.size());
        for (auto at = from; at < end; ++at) items += (at > from ? "," : "") + changes[at].second;
        const auto next = end < changes.size() ? R"(,"next":")" + cursor(end) + "\"" : "";
        const auto body = R"({"type":"OrderedCollectionPage","orderedItems":[)" + items + "]" + next + "}";
        const auto etag = "\"" + std::to_string(from) + "-" + std::to_string(end) + next.substr(0, 1) + "\"";
        internet().pages[cursor(from)] = [=, url = cursor(from)](const base::Fetch& asked) {
            Fetched answer;
            answer.url = url;
            answer.headers = {{"etag", etag}};
            answer.status = 200;
            for (const auto& header : asked.headers)
                if (header.name == "If-None-Match" && header.value == etag) answer.status = 304;
            if (answer.status == 200) answer.body = body;
            return answer;
        };
    }
};
