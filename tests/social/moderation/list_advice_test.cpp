// SPDX-License-Identifier: AGPL-3.0-or-later
// What subscribed lists only advise, as a label on servers.
#include "social/moderation/fires_server.hpp"
#include "social/moderation/staff.hpp"

namespace {

const std::string sources = "/api/dunlin/v1/moderation/list_sources";

struct ListAdvice : OnEachWorld {
    Person owner = staff(w, "olga", accounts::owner);
    FiresServer fires;
    std::string id;

    Answer act(const std::string& what) {
        auto out = owner.post(sources + "/" + id + "/" + what);
        EXPECT_EQ(out.status, 200) << out.body;
        w.run_jobs();
        return out;
    }
    // Its first copy was looked at.
    void subscribed() {
        fires.open();
        id = owner.post(sources, {{"name", "Theirs"}, {"url", fires.base}}).id();
        w.run_jobs();
        act("accept");
    }
    void read_again() {
        fires.open();
        act("sync");
    }
    std::string hold() { return owner.get(sources + "/" + id)["hold"]; }
};
ON_EACH_DATABASE(ListAdvice);

TEST_P(ListAdvice, waits_when_it_has_grown_or_shrunk_much_and_labels_servers) {
    const std::string path = "/api/dunlin/v1/moderation/labels";
    const auto label = owner.post(path, {{"name", "adult"}}).id();
    auto labelled = [&] { return owner.get(path + "/" + label + "/uses?limit=200").all("domain").size(); };
    auto advise = [&](int from, int to, const std::string& type) {
        for (int i = from; i < to; ++i)
            fires.advise("Domain", "s" + std::to_string(i) + ".example", type, "");
    };
    fires.page = 50;
    for (int i = 0; i < 60; ++i) fires.block("b" + std::to_string(i) + ".example");
    advise(0, 20, "Advisory");
    subscribed();
    advise(20, 40, "Advisory");
    read_again();
    EXPECT_EQ(hold(), "none") << "what bears no label is for people to read";
    owner.put(sources + "/" + id, {{"label", "adult"}});
    w.run_jobs();
    EXPECT_EQ(labelled(), 40u);
    advise(40, 60, "Advisory");
    read_again();
    EXPECT_EQ(hold(), "grown") << "however much it recommends besides";
    EXPECT_EQ(labelled(), 40u);
    EXPECT_EQ(act("accept")["hold"], "none");
    EXPECT_EQ(labelled(), 60u);
    advise(0, 40, "Retraction");
    read_again();
    EXPECT_EQ(hold(), "shrunk");
    EXPECT_EQ(labelled(), 60u);
}

}  // namespace
