// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/ask.hpp"
#include "server/tables.hpp"

#include <gmock/gmock.h>

namespace {

using testing::AllOf, testing::Contains, testing::HasSubstr, testing::Not;

struct Forgotten {
    using Answer = int;
    int number = 0;
};
DESCRIBE(Forgotten, number)

// Never called: that it is written somewhere is enough to be known.
[[maybe_unused]] int asks_forgotten(const base::Ask& ask) { return ask(Forgotten{1}); }

TEST(Questions, that_nobody_answers_or_that_have_no_pool_are_found_at_the_start) {
    EXPECT_THAT(&asks_forgotten, Not(nullptr));
    base::ExternalServices services;
    EXPECT_THAT(
        server::unanswered(services, server::questions()),
        AllOf(
            Contains(AllOf(HasSubstr("Forgotten"), HasSubstr("has no pool"))),
            Contains(AllOf(HasSubstr("Forgotten"), HasSubstr("is answered by nobody")))
        )
    );
    services.answers<Forgotten>([](const Forgotten& asked) { return asked.number; });
    const server::Question pool[] = {{typeid(Forgotten), server::Pool::compute}};
    EXPECT_THAT(server::unanswered(services, pool), Not(Contains(HasSubstr("Forgotten"))));
}

TEST(Questions, stand_once_in_the_table_of_pools) {
    std::vector<std::type_index> seen;
    for (const auto& one : server::questions()) {
        EXPECT_THAT(seen, Not(Contains(one.type))) << one.type.name();
        seen.push_back(one.type);
    }
}

}  // namespace
