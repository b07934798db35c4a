// SPDX-License-Identifier: AGPL-3.0-or-later
// Forms shared by both ways to subscribe: with an access token and with a web session.
#pragma once
#include "http/form.hpp"
#include "social/push/subscription.hpp"

namespace push {

struct KeysForm {
    http::Required<std::string> p256dh, auth;
};
DESCRIBE(KeysForm, p256dh, auth)
struct TargetForm {
    http::Required<std::string> endpoint;
    KeysForm keys;
    bool standard = false;
};
DESCRIBE(TargetForm, endpoint, keys, standard)
struct ChoiceForm {
    Policy policy = Policy::all;
    std::map<std::string, bool> alerts;
};
DESCRIBE(ChoiceForm, policy, alerts)

struct SubscribeForm {
    http::Param<TargetForm> subscription;
    ChoiceForm data;
};
DESCRIBE(SubscribeForm, subscription, data)
struct ChooseForm {
    ChoiceForm data;
};
DESCRIBE(ChooseForm, data)

// Detects a text in place of an object, which would otherwise be read as if nothing was given.
struct NoText {
    std::optional<std::string> data;
};
DESCRIBE(NoText, data)

inline void require_object(const NoText& form) {
    if (form.data && !form.data->empty())
        throw base::BadRequest("param is missing or the value is empty or invalid: data");
}

inline Target target_of(const SubscribeForm& form) {
    const auto& s = *form.subscription;
    return {*s.endpoint, *s.keys.p256dh, *s.keys.auth, s.standard};
}
inline Choice choice_of(const ChoiceForm& form) { return {form.policy, form.alerts}; }

}  // namespace push
