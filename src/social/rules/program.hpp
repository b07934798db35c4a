// SPDX-License-Identifier: AGPL-3.0-or-later
// All active rules, compiled into an immutable program: the words, domains and hashtags of all rules are in
// three tables, so that a post is looked up once, whatever the number of rules. Judging is a pure function of
// the program, the post and the facts about its author.
#pragma once
#include "base/hash/keyed_hash.hpp"
#include "social/rules/reading.hpp"
#include "social/rules/rule.hpp"
#include "social/rules/window.hpp"

#include <span>
#include <string>

namespace rules {

// Facts about a post from the database, each queried at most once and only when a rule may still apply.
class Facts {
public:
    Facts(db::Read& db, const statuses::Candidate& post, Window* window = nullptr)
        : db_(&db), post_(&post), window_(window) {}

    struct Author {
        std::string handle, domain;
        Time created_at;
        bool bot = false, limited = false, staff = false;
    };
    const Author& author();
    std::int64_t posts();
    std::int64_t followers_here();
    std::int64_t strikes();
    const std::vector<std::string>& labels();
    const std::vector<std::string>& server_labels();
    std::int64_t local_mentions();
    std::int64_t strangers();
    bool answers_stranger();
    std::int64_t server_known_days();
    const std::vector<std::string>& server_lists();
    std::int64_t age_days();
    bool passes();  // staff, or trusted
    const NormalizedText& reading();
    // Counts among recent posts, this one included. Zero without a window.
    Seen seen(Trace, std::int64_t minutes);
    const Window::Traces& note();  // records it as arrived now; only with a window

private:
    const std::vector<AccountId>& local_people();
    bool is_stranger(AccountId);
    bool is_local(AccountId);

    db::Read* db_;
    const statuses::Candidate* post_;
    Window* window_;
    std::optional<NormalizedText> reading_;
    std::optional<Window::Traces> traces_;
    struct Counted {
        Trace trace;
        std::int64_t minutes;
        Seen seen;
    };
    std::vector<Counted> counted_;  // rules ask the same
    std::optional<Author> author_;
    std::optional<std::int64_t> posts_, followers_, strikes_, strangers_, known_days_;
    std::optional<std::vector<AccountId>> local_;
    std::optional<std::vector<std::string>> lists_, labels_, server_labels_;
    std::optional<bool> answers_stranger_, passes_;
};

// A local account of this age, with so many posts and no strike, is exempt from rules that are not for
// everyone.
constexpr std::int64_t trusted_after_days = 90, trusted_after_posts = 100;

struct Matched {
    std::string field, value;
};
DESCRIBE(Matched, field, value)

// The result of a rule for a post, condition by condition.
struct ExplainedCondition {
    std::string field, op;
    bool unless = false, holds = false;
    std::string value;  // of the post
};
DESCRIBE(ExplainedCondition, field, op, unless, holds, value)

class Program {
public:
    struct Entry {
        RuleId id;
        std::int64_t version = 0;
        bool acts = false;
        Definition rule;
    };
    explicit Program(std::vector<Entry>);  // in their order

    bool empty() const { return rules_.empty(); }
    std::int64_t counts() const {
        return counts_;
    }  // for how many minutes some rule looks back; 0: none does
    statuses::Verdict judge(const statuses::Candidate&, Facts&, Time now) const;
    std::vector<ExplainedCondition> explain(std::size_t rule, const statuses::Candidate&, Facts&) const;
    bool applies(std::size_t rule, const statuses::Candidate&, Facts&) const;

    static constexpr std::size_t most_hits = 20;  // beyond these, watching rules are skipped

private:
    struct Compiled {
        const Condition* from = nullptr;
        FieldId field = FieldId::text;
        Op op = Op::is;
        Cost cost = Cost::cheap;
        bool unless = false;
        std::uint32_t bit = 0;          // of an indexed one
        std::vector<Sketch> samples{};  // of `near`
    };
    struct CompiledRule {
        Entry entry;
        std::vector<Compiled> conditions;  // the cheap ones first
    };
    // A rule without an indexed condition is checked for every post. If its first condition compares a
    // number, that is stored here, adjacent to those of other rules: most rules are rejected without loading
    // them, which takes most of the time.
    struct Asked {
        std::uint32_t rule = 0;
        FieldId field = FieldId::text;
        Op op = Op::is;
        bool compares = false, unless = false;
        std::int64_t number = 0, minutes = 0;
    };
    // Maps entries to bits. An entry is identified by the keyed hash of its text (with a secret key), so that
    // thousands are stored compactly; the matching text is taken from the post. Most words of a post are in
    // no rule: a bit for each eighth of a bucket shows that, and these bits fit in the CPU cache.
    class Index {
    public:
        struct Entry {
            std::uint64_t hash = 0;
            std::uint32_t bit = 0;
            auto operator<=>(const Entry&) const = default;
        };
        void add(std::uint64_t hash, std::uint32_t bit) { all_.push_back({hash, bit}); }
        void settle();  // after the last one
        bool empty() const { return all_.empty(); }
        std::span<const Entry> find(std::uint64_t hash) const;

    private:
        std::size_t eighth(std::uint64_t hash) const { return hash >> (shift_ - 3); }
        bool may_have(std::uint64_t hash) const;
        std::vector<Entry> all_;
        std::vector<std::uint32_t> starts_;  // by the first bits of the hash
        std::vector<std::uint64_t> taken_;   // by three bits more, whether there is any
        int shift_ = 0;
    };
    struct Looked;

    void add(CompiledRule&, Condition&, bool unless);
    static Asked asked_first(std::uint32_t rule, const CompiledRule&);
    Looked look(const statuses::Candidate&, Facts&) const;
    void look_for_phrases(Looked&, const statuses::Candidate&, Facts&) const;
    std::vector<std::uint32_t> possible(const Looked&, const statuses::Candidate&, Facts&) const;
    bool holds(const Compiled&, const Looked&, const statuses::Candidate&, Facts&, std::string* value) const;
    bool applies(const CompiledRule&, const Looked&, const statuses::Candidate&, Facts&) const;
    std::string matched(const CompiledRule&, const Looked&, const statuses::Candidate&, Facts&) const;

    std::vector<CompiledRule> rules_;
    std::vector<std::uint32_t> needing_;  // by bit: the rule that requires it
    std::vector<Asked> always_;           // the other rules
    base::KeyedHash hash_;
    Index first_words_;  // of phrases: the lengths in words that exist
    Index phrases_;      // by all of their words
    Index domains_, tags_;
    std::uint32_t bits_ = 0;
    bool sketches_ = false;
    std::int64_t counts_ = 0;
};

// The active rules, recompiled when their version has changed.
std::shared_ptr<const Program> program(db::Read&, const std::string& version);

// For server/gates.cpp
bool any_rule(db::Read&);
statuses::Verdict judge_post(db::Read&, const statuses::Candidate&, Window&);
void watch_post(db::Read&, const statuses::Candidate&, Window&);

}  // namespace rules
