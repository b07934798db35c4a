// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON-LD contexts: terms and their definitions. A context is immutable once made and shares common parts
// with its predecessor. Only the contexts in web/contexts are known: none is ever fetched.
#pragma once
#include "ap/ld/rdf.hpp"

#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace ap::ld {

// Limited, because a document can make its contexts repeat a text in every value.
constexpr std::size_t longest_in_context = 2048;

// The budget for processing one document, in steps of about a microsecond.
class Work {
public:
    explicit Work(std::size_t limit = 20'000) : left_(limit) {}
    void spend(std::size_t steps = 1) {
        if (steps > left_) throw Failure("document too complex");
        left_ -= steps;
    }

private:
    std::size_t left_;
};

namespace container {
enum : unsigned { graph = 1, id = 2, index = 4, language = 8, list = 16, set = 32, type = 64 };
}

struct Definition {
    std::optional<std::string> iri;  // empty: the term is mapped to null
    bool prefix = false, is_protected = false, reverse = false;
    unsigned containers = 0;
    std::string type, index, nest;                   // empty: not given
    std::optional<std::string> language, direction;  // empty text: said to have none
    const boost::json::value* scoped = nullptr;      // the context that holds inside, where it was read

    bool has(unsigned some) const { return (containers & some) != 0; }
    bool means_the_same(const Definition&) const;
};

class Context;
using ContextPtr = std::shared_ptr<const Context>;

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const noexcept { return std::hash<std::string_view>()(s); }
};

class Context {
public:
    static ContextPtr initial(std::string_view base = {});

    const Definition* find(std::string_view term) const { return look_up(term).get(); }
    std::map<std::string_view, const Definition*> terms() const;  // all that can be found

    std::string base, original_base;  // empty: none
    std::optional<std::string> vocabulary;
    std::string language, direction;  // empty: none
    ContextPtr previous;              // what holds again in the next node, for contexts that do not propagate

private:
    friend class Processor;
    // A term with a null definition is not looked up in the predecessor.
    using Terms =
        std::unordered_map<std::string, std::shared_ptr<const Definition>, StringHash, std::equal_to<>>;

    std::shared_ptr<const Definition> look_up(std::string_view term) const;

    ContextPtr below_;
    std::size_t layers_ = 0;
    Terms own_;
    // The bundled contexts that it was made from; empty optional: others were involved, too.
    std::optional<std::string> recipe_;
};

struct Processing {
    bool override_protected = false;  // for the context of a property
    bool propagate = true;
};

// Throws Failure with the code of the specification. The result refers to `local`, which must outlive it.
ContextPtr process(const ContextPtr& active, const boost::json::value& local, Work&, Processing = {});

// Expands a word to a keyword, an IRI, a blank node, a relative IRI, or null.
struct IriOptions {
    bool against_base = false, vocabulary = false;
};
std::optional<std::string> expand_iri(const Context&, std::string_view word, IriOptions);

// The contexts compiled into the program.

// The value of "@context" in the document at this address; nullptr when it is not bundled.
const boost::json::value* bundled_context(std::string_view url);

}  // namespace ap::ld
