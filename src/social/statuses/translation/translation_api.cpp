// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/statuses/core/viewer_api.hpp"
#include "social/statuses/translation/translation.hpp"

namespace statuses {
namespace {

using http::Viewer;

struct Form {
    StatusId id;
    std::string lang;
};
DESCRIBE(Form, id, lang)

// The requested language, else the user's choice, the browser's preference, the server's default.
std::string target(const base::Site& site, const http::Request& request, const Viewer& me, const Form& form) {
    if (!form.lang.empty()) return form.lang;
    if (!me.locale.empty()) return me.locale;
    auto accepted = request.header("Accept-Language");
    auto known = base::text::find_language(accepted.substr(0, accepted.find_first_of(",; ")));
    return known ? std::string(*known) : site.language;
}

NewTranslation prepare(
    const base::Ask& ask, db::Read& db, const http::Request& request, const Viewer& me, const Form& form
) {
    auto facts = visible_facts(db, audience(db, me), form.id);
    return translate(ask, db, facts, target(db.site(), request, me, form));
}

Translation keep(db::Write& db, const Viewer&, const NewTranslation& made) {
    keep_translation(db, made);
    return made.shown;
}

LanguagePairs languages(const base::Ask& ask, db::Read& db) {
    return db.site().translates ? ask(TranslationLanguages{}) : LanguagePairs();
}

// clang-format off
constexpr http::Route table[] = {
    http::post<prepare, keep>("/api/v1/statuses/:id/translate", "read:statuses"),
    http::get<languages>     ("/api/v1/instance/translation_languages").cached(http::Caching::always).always_open(),
};
// clang-format on

}  // namespace

std::span<const http::Route> translation_routes() { return table; }

}  // namespace statuses
