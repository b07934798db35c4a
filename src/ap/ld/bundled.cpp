// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/context.hpp"

#include "base/embedded.hpp"
#include "base/json_read.hpp"

#include <map>

namespace ap::ld {
namespace {

using Contexts = std::map<std::string, boost::json::value, std::less<>>;

Contexts read_all() {
    Contexts out;
    const auto index = base::json::parse(base::embedded("web/contexts/index.json").value());
    for (const auto& [url, file] : index.as_object()) {
        auto text = base::embedded("web/contexts/" + std::string(file.as_string())).value();
        out.emplace(url, base::json::parse(text).at("@context"));
    }
    return out;
}

}  // namespace

const boost::json::value* bundled_context(std::string_view url) {
    static const Contexts all = read_all();
    auto found = all.find(url);
    return found == all.end() ? nullptr : &found->second;
}

}  // namespace ap::ld
