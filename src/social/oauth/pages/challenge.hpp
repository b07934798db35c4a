// SPDX-License-Identifier: AGPL-3.0-or-later
// The questions that passkeys answer. Nothing is stored: a question holds its time and a proof that this server asked it of
// this browser, and a passkey answers none that is older than the last one it answered (passkey.hpp).
#pragma once
#include "social/accounts/second_factor/passkey.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

struct Challenged {
    base::PasskeyQuestion question;
    base::Time at;
};

// base64url, for the page.
std::string new_challenge(const Visitor&, base::Time now);
// The question, when it was asked of this visitor in the last ten minutes.
std::optional<Challenged> challenged(
    const base::Site&, const Visitor&, std::string_view challenge, base::Time now
);

// What the form of a passkey brings back.
struct PasskeyFields {
    std::string challenge, credential, client_data, authenticator_data, signature;

    accounts::PasskeyAnswer answer() const {
        return {credential, client_data, authenticator_data, signature};
    }
};
DESCRIBE(PasskeyFields, challenge, credential, client_data, authenticator_data, signature)

// The form that the script fills: HOST, CHALLENGE, and the keys that may answer.
void add_passkey_form(instance::View&, const base::Site&, const Visitor&, base::Time now, const std::vector<accounts::Passkey>&);

// A passkey that answers, and to whom it belongs.
struct Shown {
    accounts::Passkey passkey;
    base::ShownPasskey shown;
    base::Time challenged_at;
};
// `person`: the authenticator must have made sure who holds it.
std::optional<Shown> shown_passkey(db::Read&, const Visitor&, const PasskeyFields&, bool person);

}  // namespace oauth
