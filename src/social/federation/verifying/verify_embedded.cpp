// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/verifying/acting_actor.hpp"

#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/ld_signature.hpp"
#include "ap/signatures/proof.hpp"
#include "ap/url.hpp"
#include "social/federation/fetch/fetch.hpp"

#include <boost/json/serialize.hpp>

namespace federation {

namespace {

class EmbeddedVerifier {
public:
    EmbeddedVerifier(const base::Ask& ask, db::Read& db, const ap::Activity& activity)
        : ask_(ask), db_(db), activity_(activity) {}

    // The signature covers only what compacted() returns, so the activity is read from that, not from the
    // text.
    std::optional<ap::Activity> by_signature(const boost::json::object& document) {
        auto creator = ap::ld::creator_of(document);
        auto key = creator ? key_of_actor(*creator) : nullptr;
        if (!key || ap::ld::verify(document, *key, db_.now()) != ap::ld::Verdict::valid) return std::nullopt;
        auto said = ap::ld::compacted(document);
        auto read = said ? ap::read_document(boost::json::serialize(said->document))
                         : ap::Reading<ap::Document>(ap::Refusal::other_type);
        if (!read) return std::nullopt;
        auto activity = ap::read_activity(*read, db_.now());
        if (!activity || activity->actor != activity_.actor || activity->type != activity_.type)
            return std::nullopt;
        return *std::move(activity);
    }

    std::optional<ap::Activity> by_proof(const boost::json::object& document) {
        if (!ap::has_proof(document)) return std::nullopt;
        auto reading = ap::read_proof(document, db_.now());
        auto key = reading.claim ? key_of_actor(reading.claim->verification_method) : nullptr;
        if (!key || !ap::holds(*reading.claim, *key)) return std::nullopt;
        return activity_;
    }

    // A hint is used only for the id of the object to fetch.
    std::optional<ap::Activity> as_hint() const {
        if (!activity_.is("Create") || !ap::same_host(activity_.object.id, activity_.actor))
            return std::nullopt;
        auto out = activity_;
        out.id.clear();
        out.object.embedded = {};
        out.audience = {};
        return out;
    }

    std::optional<FetchedKey> learned;

private:
    std::shared_ptr<const ap::PublicKey> key_of_actor(const std::string& id) {
        if (!ap::same_host(id, activity_.actor)) return nullptr;
        auto known = key_of(ask_, db_, id);
        if (known.learned) learned = known.learned;
        return known.actor == activity_.actor ? known.key : nullptr;
    }

    const base::Ask& ask_;
    db::Read& db_;
    const ap::Activity& activity_;
};

}  // namespace

EmbeddedVerification verify_embedded(
    const base::Ask& ask, db::Read& db, const std::string& body, const ap::Activity& activity
) {
    auto document = ap::parse_exactly(body);
    if (!document || !document->is_object() || has_our_host(db.site(), activity.actor)) return {};
    EmbeddedVerifier verifier(ask, db, activity);
    auto found = verifier.by_proof(document->as_object());
    if (!found) found = verifier.by_signature(document->as_object());
    if (found && verifier.learned) verifier.learned->held = true;
    if (!found) found = verifier.as_hint();
    return {std::move(found), verifier.learned};
}

}  // namespace federation
