// SPDX-License-Identifier: AGPL-3.0-or-later
// Translation services: LibreTranslate and DeepL, through the common HTTP client.
#pragma once
#include "base/fetch.hpp"
#include "config/config.hpp"
#include "social/statuses/translation/translation.hpp"

#include <functional>
#include <mutex>

namespace server {

class Translator {
public:
    using Ask = std::function<base::Fetched(const base::Fetch&)>;
    Translator(const Config&, Ask);

    statuses::Translated translate(const statuses::Translate&) const;
    statuses::LanguagePairs languages();  // refreshed once a week; an hour after a failure

private:
    base::Fetch question(const std::string& path) const;
    statuses::Translated by_libretranslate(const statuses::Translate&) const;
    statuses::Translated by_deepl(const statuses::Translate&) const;
    statuses::LanguagePairs of_libretranslate() const;
    statuses::LanguagePairs of_deepl() const;

    TranslateService service_;
    std::string url_, key_;
    Ask ask_;
    std::mutex mutex_;
    statuses::LanguagePairs known_;
    std::int64_t known_until_ = 0;
};

}  // namespace server
