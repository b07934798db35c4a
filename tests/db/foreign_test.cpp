// SPDX-License-Identifier: AGPL-3.0-or-later
#include "db/foreign/foreign.hpp"

#include <gmock/gmock.h>

namespace {

using testing::ElementsAre, testing::Optional;

TEST(Foreign, lists_of_postgres_keep_the_place_of_what_is_null) {
    EXPECT_THAT(db::foreign_list("{a,NULL,\"b c\"}"), Optional(ElementsAre("a", "", "b c")));
    EXPECT_THAT(db::foreign_list("{\"NULL\"}"), Optional(ElementsAre("NULL"))) << "somebody wrote that";
}

}  // namespace
