// SPDX-License-Identifier: AGPL-3.0-or-later
// Translating a post with the help of another server. What comes back is somebody else's text: it is cleaned as if it
// came from the network, because it did.
#pragma once
#include "base/ask.hpp"
#include "social/statuses/core/visibility.hpp"

#include <map>

namespace statuses {

BOOST_DEFINE_ENUM_CLASS(TranslateFailure, none, quota, too_many, unsupported, broken)

struct Translated {
    TranslateFailure failure = TranslateFailure::none;
    std::vector<std::string> texts;  // in the order asked, HTML of strangers
    std::string source_language, provider;
};

// To the service that the operator chose.
struct Translate {
    std::vector<std::string> texts;  // HTML
    std::string source;              // empty: to be found out
    std::string target;
    using Answer = Translated;
};
DESCRIBE(Translate, texts, source, target)

// Into what each language can be translated; "und" is the one that is to be found out. Empty: no service.
using LanguagePairs = std::map<std::string, std::vector<std::string>>;
struct TranslationLanguages {
    int of_all = 0;
    using Answer = LanguagePairs;
};
DESCRIBE(TranslationLanguages, of_all)

struct TranslatedOption {
    std::string title;
};
DESCRIBE(TranslatedOption, title)
struct TranslatedPoll {
    StatusId id;
    std::vector<TranslatedOption> options;
};
DESCRIBE(TranslatedPoll, id, options)
struct TranslatedMedia {
    MediaId id;
    std::string description;
};
DESCRIBE(TranslatedMedia, id, description)

struct Translation {
    std::string content, spoiler_text, language, detected_source_language, provider;
    std::optional<TranslatedPoll> poll;
    std::vector<TranslatedMedia> media_attachments;
};
DESCRIBE(
    Translation, content, spoiler_text, language, detected_source_language, provider, poll, media_attachments
)

// What to store for a day after asking anew; the key is empty when the answer was stored already.
struct NewTranslation {
    std::string key, texts, source_language, provider;
    Translation shown;
};

// Throws NotFound (no service), Forbidden (not public, a pair it does not know), Unavailable.
NewTranslation translate(const base::Ask&, db::Read&, const VisibilityFacts&, std::string_view target);
void keep_translation(db::Write&, const NewTranslation&);
void purge_translations(db::Write&);  // periodic

}  // namespace statuses
