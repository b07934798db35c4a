// SPDX-License-Identifier: AGPL-3.0-or-later
// Writes rows that are stored as they are: the members of the struct are columns, and it names its table.
#pragma once
#include "db/session.hpp"

#include <string>

namespace takeover {

template <class Row>
concept Stored = base::Described<Row> && requires { Row::table; };

template <Stored Row>
const std::string& insert_name() {
    static const std::string name = std::string("take_") + Row::table;
    return name;
}

template <Stored Row>
const std::string& insert_text() {
    static const std::string text = [] {
        std::string columns, values;
        base::for_each_member<Row>([&, next = 1](auto member) mutable {
            const char* comma = next > 1 ? ", " : "";
            columns.append(comma).append(base::wire_name(member.name));
            values.append(comma).append("$" + std::to_string(next++));
        });
        return std::string("INSERT INTO ") + Row::table + " (" + columns + ") VALUES (" + values +
               ") ON CONFLICT DO NOTHING";
    }();
    return text;
}

template <Stored Row>
inline const db::Command insert{insert_name<Row>().c_str(), insert_text<Row>().c_str()};

// None where there is one already that must be the only one of its kind. Nobody waits for that who does not ask.
template <Stored Row>
db::Changed write(db::Write& db, const Row& row) {
    return [&]<template <class...> class All, class... Member>(All<Member...>) {
        return db.run(insert<Row>, row.*Member::pointer...);
    }(base::members<Row>{});
}

}  // namespace takeover
