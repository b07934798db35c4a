// SPDX-License-Identifier: AGPL-3.0-or-later
// Two people, of whom one writes, with pictures to attach.
#pragma once
#include "social/media/media.hpp"
#include "world.hpp"

struct Writing : OnEachWorld {
    Person alice = w.local("alice"), bob = w.local("bob");

    std::string picture(const Person& of, media::Type type = media::Type::image) {
        media::Media m;
        m.type = type;
        m.account_id = {std::stoll(of.id)};
        m.file = m.preview = "a/b.png";
        m.mime = "image/png";
        auto id = w.write([&](db::Write& db) { return media::create(db, m); });
        w.changed();
        return std::to_string(id.value);
    }
    std::string picture() { return picture(alice); }
    void expect_refused(const Answer& answer, int status, const std::string& error) {
        EXPECT_EQ(answer.status, status);
        EXPECT_EQ(answer.error(), error);
        EXPECT_EQ(w.happened() + w.changed(), "");
    }
};
