// SPDX-License-Identifier: AGPL-3.0-or-later
// A post on another server, as its server says it. Texts are as they came, within their bounds: what is to be stored
// of them comes from content.hpp.
#pragma once
#include "ap/audience.hpp"
#include "ap/collection.hpp"
#include "ap/document.hpp"
#include "ap/policy.hpp"
#include "ap/tags.hpp"

#include <string>
#include <vector>

namespace ap {

constexpr std::size_t most_media = 64, most_options = 500, longest_description = 10000;

struct Media {
    std::string type;  // Document, Image, Video, Audio
    std::string url;
    std::string media_type;  // "" when not said
    std::string description, blurhash;
    std::optional<std::pair<double, double>> focus;  // x, y from -1 to 1
    std::optional<std::int64_t> width, height;
    std::optional<double> seconds;
    std::string thumbnail;
    bool sensitive = false;
};

struct Option {
    std::string name;
    std::int64_t votes = 0;
};

struct Poll {
    bool multiple = false;
    std::vector<Option> options;
    std::optional<Time> ends;  // none: it has no end
    bool closed = false;
    std::optional<std::int64_t> voters;
};

struct Quote {
    std::string id;             // of the quoted post
    std::string authorization;  // the address of the authorization, "" when there is none
    bool legacy = false;        // said in the ways of before FEP-044f
    bool deleted = false;       // a Tombstone stands in its place
};

// What a post says of its replies, likes, boosts.
struct Responses {
    std::string id;
    std::optional<std::int64_t> total;
    std::vector<std::string> items;  // some, embedded
    std::string next;
    bool listed = false;  // the first page is embedded with what is on it, were it nothing
};

struct Object {
    std::string id;
    std::string type;  // Note, Question, Article, Page, Event, Video, Audio, Image, Tombstone
    std::string attributed_to;
    std::string url;  // the page for people, "" when there is none

    std::string content, content_type;  // content_type: "text/html" unless said otherwise
    std::string summary, name;
    std::string language;  // "" when not said
    bool sensitive = false;
    std::optional<Time> published, updated;

    std::string in_reply_to;
    std::string in_reply_to_atom, atom_uri;  // the ids of before ActivityPub
    std::string conversation, context;
    std::string group;  // the `audience`: a community it was posted in

    Audience audience;
    std::optional<bool> direct_message;
    Tags tags;

    std::vector<Media> media;
    std::vector<std::string> links;  // attached ones, candidates for a preview
    std::optional<Poll> poll;
    std::optional<Quote> quote;
    InteractionPolicy policy;
    std::string approved_by;  // an authorization for its being a reply

    Responses replies, likes, shares;
    std::optional<Time> starts, finishes;  // of an Event
    std::string place;

    bool is_tombstone() const { return type == "Tombstone"; }
    // Shown as it is; the other types are shown as a title, a text and a link.
    bool is_plain() const { return type == "Note" || type == "Question"; }
    // A choice in the poll that it answers, not a post.
    bool is_vote() const {
        return type == "Note" && !name.empty() && !in_reply_to.empty() && content.empty();
    }
};

// Who is said to have written it: of several the first person (a video is by its channel, too), else the first.
std::string author_of(Node object);

// Refused is also what names an author of another host. A post without any author belongs to `presumed_author`: the
// actor of the Create that it came in.
Reading<Object> read_object(const Document&, Time now, std::string_view presumed_author = {});

// The audience of the activity stands in when the object has none.
Visibility visibility_of(const Object&, const Audience& of_activity, std::string_view author_followers);

}  // namespace ap
