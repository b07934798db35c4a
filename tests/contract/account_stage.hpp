// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts in every state, and everybody who may look at them, each of whom stands in one relation to all of them.
#pragma once
#include "contract/probing.hpp"

struct Subject {
    Person person;
    std::string state;
    std::string marker;  // stands in its name, note and field, and nowhere else
};

class AccountStage {
public:
    explicit AccountStage(World&);

    World& w;
    Person friend_;  // follows, lists, endorses and shows all of them
    std::string post, collection;
    std::map<std::string, Person> viewers;
    std::vector<Subject> subjects;
    std::string absent = "1";

    // Those that are not there for anybody.
    static bool exists(const Subject&);
    const Subject& subject(const std::string& state) const;
    static bool shows(const Answer&, const Subject&);  // its entity stands in it

    // With the account in the path or in any parameter that takes one.
    Answer ask(const Person&, const http::Route&, const std::string& id) const;
    // The route with all that is on the stage and leads to accounts.
    Answer list(const Person&, std::string_view path) const;

private:
    Subject make(const std::string& state);
    void make_relations(const Subject&);
    void change(const Subject&);
};
