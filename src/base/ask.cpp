// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/ask.hpp"

namespace base {

std::vector<std::type_index>& questions_asked() {
    static std::vector<std::type_index> all;
    return all;
}

}  // namespace base
