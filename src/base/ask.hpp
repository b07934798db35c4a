// SPDX-License-Identifier: AGPL-3.0-or-later
// Ask, don't fetch: a reading function writes ask(Question{…}) as if it were a call. The first time it throws
// Needs; the caller then closes the session, does the slow work on the right pool (CPU, network) and runs the
// function again with the answer. So nothing slow ever happens inside a transaction, and the function still
// reads top to bottom. A question is a described struct with a member type Answer.
#pragma once
#include "base/json.hpp"

#include <any>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <vector>

namespace base {

struct Needs {
    std::string key;
    std::type_index type;
    std::any question;
};

// The types of all questions in the program, registered before main().
std::vector<std::type_index>& questions_asked();
template <class Q>
inline const bool is_asked = (questions_asked().push_back(typeid(Q)), true);

class Ask {
public:
    template <class Q>
    const typename Q::Answer& operator()(const Q& question) const {
        (void)is_asked<Q>;
        auto key = std::string(typeid(Q).name()) + json::to_string(question);
        auto found = answers_.find(key);
        if (found == answers_.end()) throw Needs{std::move(key), typeid(Q), question};
        return *std::any_cast<typename Q::Answer>(&found->second);
    }
    // Whether any question of this type was answered. Check this before asking for something that may happen
    // only once (a mail): the data, and so the question, may have changed since.
    template <class Q>
    bool answered() const {
        const std::string_view kind = typeid(Q).name();
        auto found = answers_.lower_bound(kind);
        return found != answers_.end() && found->first.starts_with(kind);
    }
    void answer(const Needs& needs, std::any answer) { answers_.emplace(needs.key, std::move(answer)); }

private:
    std::map<std::string, std::any, std::less<>> answers_;
};

// How many rounds of questions a function may ask before it is aborted.
constexpr int max_rounds = 6;

// The functions that answer questions, one per type, registered at startup. They run on a CPU thread and may
// be slow; an Error they throw ends the request that asked.
class ExternalServices {
public:
    template <class Q>
    void answers(std::function<typename Q::Answer(const Q&)> f) {
        by_type_[typeid(Q)] = [f = std::move(f)](const std::any& question) -> std::any {
            return f(*std::any_cast<Q>(&question));
        };
    }
    std::any answer(const Needs& needs) const { return by_type_.at(needs.type)(needs.question); }
    bool knows(std::type_index question) const { return by_type_.contains(question); }

private:
    std::unordered_map<std::type_index, std::function<std::any(const std::any&)>> by_type_;
};

}  // namespace base
