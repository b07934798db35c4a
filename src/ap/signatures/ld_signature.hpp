// SPDX-License-Identifier: AGPL-3.0-or-later
// Linked-data signatures (RsaSignature2017): they travel inside an activity, so that whoever passes it on cannot
// change it. A signature covers what the activity says as RDF and not its text, so what it holds is known only from
// compacted(): of a document that is verified here, process that and nothing else.
#pragma once
#include "ap/signatures/key.hpp"
#include "base/time.hpp"

#include <boost/json/object.hpp>

namespace ap::ld {

// The id of the key that signed, or nothing when there is no signature of the kind that we know. Its owner has to
// be the actor of the activity: the caller sees to that.
std::optional<std::string> creator_of(const boost::json::object& document);

enum class Verdict {
    valid,
    not_signed,  // or signed in another way
    expired,
    unreadable,  // not JSON-LD, a context that is not bundled, words that may not be signed, too much to work on
    wrong,       // the document or the key is another
};
Verdict verify(const boost::json::object& document, const PublicKey&, base::Time now);

// A copy of the document with a signature that holds for two days. Throws std::runtime_error for a document that
// nobody could verify.
boost::json::object sign(
    const boost::json::object& document, std::string_view key_id, const PrivateKey&, base::Time now
);

struct Compacted {
    boost::json::object document;  // in the words that we use, without its signature
    bool says_the_same = false;    // the original may be passed on
};
std::optional<Compacted> compacted(const boost::json::object& document);  // nothing when it is unreadable

}  // namespace ap::ld
