// SPDX-License-Identifier: AGPL-3.0-or-later
// Documents in tests: their members in JSON, read as another server's.
#pragma once
#include "ap/activity.hpp"
#include "ap/actor.hpp"
#include "ap/content.hpp"
#include "ap/object.hpp"

#include <gtest/gtest.h>

#include <string>

namespace reading {

constexpr ap::Time now{1'800'000'000'000};  // 2027-01-15

inline ap::Document document(const std::string& members) {
    auto read = ap::read_document(R"({"@context":"https://www.w3.org/ns/activitystreams",)" + members + "}");
    EXPECT_TRUE(read) << members;
    return *read;
}

// A Note of https://a.test/u with these members besides.
inline ap::Object note(const std::string& members) {
    auto read = ap::read_object(
        document(R"("type":"Note","id":"https://a.test/1","attributedTo":"https://a.test/u",)" + members), now
    );
    EXPECT_TRUE(read) << members;
    return *read;
}

inline ap::Reading<ap::Actor> actor(const std::string& members) {
    return ap::read_actor(
        document(R"("type":"Person","id":"https://a.test/u","inbox":"https://a.test/u/inbox",)" + members),
        now
    );
}

inline ap::Reading<ap::Activity> activity(const std::string& members) {
    return ap::read_activity(document(members), now);
}

}  // namespace reading
