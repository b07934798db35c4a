// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account_list.hpp"

namespace accounts {

std::string render_list(db::Read& db, const std::vector<ListedAccount>& listed, bool logged_in) {
    std::vector<Version> versions;
    for (const auto& row : listed) versions.push_back({row.account, row.version});
    auto rendered = render(db, versions);
    std::string out = "[";
    for (const auto& row : listed) {
        auto found = rendered.find(row.account);
        if (found == rendered.end()) continue;
        if (out.size() > 1) out += ',';
        found->second->append_to(out, logged_in);
    }
    return out + "]";
}

}  // namespace accounts
