// SPDX-License-Identifier: AGPL-3.0-or-later
// An author, posts of every visibility and kind, and everybody who may look at them.
#pragma once
#include "contract/probing.hpp"

struct Post {
    std::string name;  // "private reply"; of a plain one its visibility alone
    std::string id, visibility;
    std::string marker;  // what stands in this post and nowhere else; of a boost its id
};

class Stage {
public:
    explicit Stage(World&);

    World& w;
    Person author, friend_;
    std::map<std::string, Person> viewers;
    std::vector<Post> posts;
    std::string no_status = "1";

    // The table of behaviours, section 10.
    bool may_see(const Person& viewer, const Post&) const;

    Answer ask(const Person&, const http::Route&, const std::string& id) const;
    // The route with every id and word of the stage that might lead somewhere.
    std::vector<Answer> ask_all(const Person&, const http::Route&) const;
    // The route with this status in its path or in any parameter that takes one.
    Answer ask_with_status(const Person&, const http::Route&, const std::string& status) const;

    std::vector<std::string> shown(const Answer&) const;  // names of posts

private:
    std::string name_of(const Person&) const;
    void post(const std::string& kind, const std::string& visibility, Fields);
    void make_posts(const std::string& root);
};
