// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/documents/linked.hpp"

#include "ap/signatures/exact_json.hpp"
#include "ap/signatures/ld_signature.hpp"
#include "social/federation/keys/keys.hpp"

#include <boost/json/serialize.hpp>

namespace federation {

std::string linked(db::Read& db, base::AccountId signer, std::string document) {
    auto parsed = ap::parse_exactly(document);
    if (!parsed || !parsed->is_object()) return document;
    try {
        auto key = signing_key(db, signer);
        auto secret = ap::PrivateKey::from_pem(key.private_pem);
        if (!secret) return document;
        auto made = ap::ld::sign(parsed->as_object(), key.id, *secret, db.now());
        // The text itself is not serialised again, so that exactly the signed content is sent.
        document.back() = ',';
        document += "\"signature\":" + boost::json::serialize(made.at("signature")) + "}";
    } catch (const base::Unavailable&) {
        // Servers that get it directly from here do not need the signature.
    }
    return document;
}

}  // namespace federation
