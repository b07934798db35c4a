// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/activity.hpp"
#include "ap/actor.hpp"
#include "ap/content.hpp"
#include "ap/object.hpp"

#include <gtest/gtest.h>

namespace {

using namespace ap;

constexpr Time now{1'800'000'000'000};

Document document(const std::string& members) {
    auto read = read_document(R"({"@context":"https://www.w3.org/ns/activitystreams",)" + members + "}");
    EXPECT_TRUE(read) << members;
    return *read;
}

TEST(Reading, DemandsAContextOfActivityStreams) {
    EXPECT_EQ(read_document(R"({"type":"Note"})").why(), Refusal::no_context);
    EXPECT_EQ(
        read_document(R"({"@context":"https://evil.test/ns","type":"Note"})").why(), Refusal::no_context
    );
    EXPECT_TRUE(read_document(
        R"({"@context":["https://w3id.org/identity/v1","https://www.w3.org/ns/activitystreams"]})"
    ));
    EXPECT_TRUE(read_document(R"({"@context":"http://www.w3.org/ns/activitystreams"})"));
}

TEST(Reading, TurnsACreateIntoAPost) {
    auto create = read_activity(
        document(R"("type":"Create","id":"https://a.test/1/activity","actor":"https://a.test/u",
            "to":["https://a.test/u/followers"],"cc":["as:Public"],
            "object":{"type":"Note","id":"https://a.test/1","attributedTo":"https://a.test/u",
                      "contentMap":{"de":"<p>Hallo <script>x</script></p>"},"summary":"Vorsicht"})"),
        now
    );
    ASSERT_TRUE(create);
    EXPECT_TRUE(may_trust_embedded(*create));
    auto note = read_object(create->object.embedded, now, create->actor);
    ASSERT_TRUE(note);
    EXPECT_EQ(note->language, "de");
    EXPECT_EQ(content_html(*note), "<p>Hallo </p>");
    EXPECT_EQ(warning(*note), "Vorsicht");
    EXPECT_EQ(visibility_of(*note, create->audience, "https://a.test/u/followers"), Visibility::unlisted);
}

}  // namespace
