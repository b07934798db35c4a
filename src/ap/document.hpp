// SPDX-License-Identifier: AGPL-3.0-or-later
// JSON of other servers, within limits and untrusted: a member of the wrong type reads as absent, a single
// value reads as a list of one, and a reference may be an id or an embedded object.
#pragma once
#include "base/time.hpp"

#include <boost/describe/enum.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ap {

using base::Time;

constexpr std::size_t longest_document = 1 << 20;
constexpr std::size_t deepest_document = 32;

// Whether a response with this Content-Type may be an ActivityPub document. JSON of other types may be a file
// that a user uploaded there.
bool is_activity_type(std::string_view content_type);
// application/ld+json without the profile: not accepted, but some servers can also send a better type.
bool is_bare_json_ld(std::string_view content_type);

// Why a document was refused.
BOOST_DEFINE_ENUM_CLASS(
    Refusal, none, too_large,
    not_json,        // or too deeply nested, or not an object
    no_context,      // no JSON-LD context that names ActivityStreams
    other_type,      // not a type that is read here
    no_id,           // none, or no http(s) URL
    no_actor,        // an activity without one
    no_inbox,        // an actor without one
    no_name,         // an actor without a valid username
    no_author,       // a post without one
    foreign_author,  // attributed to an actor on another host
    no_links         // WebFinger, NodeInfo: not the expected document
)

template <class T>
class Reading {
public:
    Reading(T value) : value_(std::move(value)) {}
    Reading(Refusal why) : why_(why) {}
    explicit operator bool() const { return value_.has_value(); }
    const T& operator*() const { return *value_; }
    T& operator*() { return *value_; }
    const T* operator->() const { return &*value_; }
    T* operator->() { return &*value_; }
    Refusal why() const { return why_; }

private:
    std::optional<T> value_;
    Refusal why_ = Refusal::none;
};

// A value in a document, possibly absent. Must not outlive the document.
class Node {
public:
    Node() = default;
    explicit Node(const boost::json::value* value);

    explicit operator bool() const { return value_ != nullptr; }
    bool is_object() const { return value_ && value_->is_object(); }
    const boost::json::value* json() const { return value_; }

    Node operator[](std::string_view name) const;
    // The values of a list, or the single value; at most `most`.
    std::vector<Node> each(std::size_t most = 256) const;
    Node first() const;

    // A string, or a literal with a @value; valid UTF-8 without control characters, "" for anything else.
    std::string text(std::size_t most_characters = 1 << 20) const;
    bool is_text() const { return value_ && value_->is_string(); }
    // A string or the `id` of an object, of the first value; any scheme.
    std::string id() const;
    // The same, but empty unless is_web_url() holds.
    std::string web_id() const;
    std::vector<std::string> ids(std::size_t most = 256) const;
    // A URL to fetch or show: a string, the `href` of a Link or the `url` of an object; of several the first
    // with the wanted media type, else the first that does not have another one.
    std::string link(std::string_view media_type = {}) const;

    // The first type, without the ActivityStreams prefix.
    std::string type() const;
    std::vector<std::string> types() const;
    bool is(std::string_view type) const;

    bool flag() const { return value_ && value_->is_bool() && value_->get_bool(); }
    std::optional<bool> boolean() const;
    // A whole number that is not negative.
    std::optional<std::int64_t> count() const;
    std::optional<double> number() const;
    // ISO 8601 within the years that can be written; times in the future become `now`.
    std::optional<Time> time(Time now) const;
    std::optional<Time> time_to_come() const;  // also in the future

private:
    const boost::json::value* value_ = nullptr;
};

// `mediaType`, or mimeType as some servers name it; "" if not given.
std::string media_type_of(Node);

// A text and its language, from properties like `content` and `contentMap`.
struct Text {
    std::string text, language;  // language: "" if not given
};
Text text_of(Node object, std::string_view name, std::size_t most_characters = 1 << 20);

// A whole document or one embedded in it; cheap to copy, and keeps the surrounding document alive.
class Document {
public:
    Document() = default;
    explicit operator bool() const { return static_cast<bool>(root_); }
    Node node() const { return root_; }
    Node operator[](std::string_view name) const { return root_[name]; }
    Document at(Node) const;  // a node of this document

private:
    friend Reading<Document> read_document(std::string_view);
    friend Reading<Document> read_json(std::string_view);
    std::shared_ptr<const boost::json::value> whole_;
    Node root_;
};

// An object within the limits, with an ActivityStreams context.
Reading<Document> read_document(std::string_view json);
// The same for JSON that needs no context.
Reading<Document> read_json(std::string_view json);

// A reference to an object: its id, and the object itself when it was embedded.
struct Reference {
    std::string id;
    Document embedded;
    bool empty() const { return id.empty() && !embedded; }
};
Reference reference(const Document& in, Node);
// Nothing but the id is told: what is embedded does not say what it is.
bool names_by_id(const Reference&);
std::vector<Reference> references(const Document& in, Node, std::size_t most = 256);

bool is_public(std::string_view id);  // any of the three ways to write the public collection

BOOST_DEFINE_ENUM_CLASS(Kind, actor, object, activity, collection, other)
Kind kind_of(Node);
// Of several types the first that every server knows as an activity, else the first.
std::string activity_type(Node);

// The first so many characters.
std::string cut(std::string_view text, std::size_t most_characters);

}  // namespace ap
