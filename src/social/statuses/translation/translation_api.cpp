// SPDX-License-Identifier: AGPL-3.0-or-later
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

NewTranslation prepare(const base::Ask& ask, db::Read& db, const Viewer& me, const Form& form) {
    auto facts = visible_facts(db, audience(db, me), form.id);
    auto wanted = form.lang.empty() ? me.locale : form.lang;
    return translate(ask, db, facts, wanted.empty() ? db.site().language : wanted);
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
