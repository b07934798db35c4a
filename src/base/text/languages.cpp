// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"

#include <algorithm>

#include "base/text/utf8.hpp"

namespace base::text {

namespace {

// clang-format off
constexpr Language table[] = {
    {"aa", "Afar"}, {"ab", "Abkhazian"}, {"ae", "Avestan"}, {"af", "Afrikaans"}, {"ak", "Akan"},
    {"am", "Amharic"}, {"an", "Aragonese"}, {"ar", "Arabic"}, {"as", "Assamese"}, {"ast", "Asturian"},
    {"av", "Avaric"}, {"ay", "Aymara"}, {"az", "Azerbaijani"}, {"ba", "Bashkir"}, {"be", "Belarusian"},
    {"bg", "Bulgarian"}, {"bh", "Bihari"}, {"bi", "Bislama"}, {"bm", "Bambara"}, {"bn", "Bengali"},
    {"bo", "Tibetan"}, {"br", "Breton"}, {"bs", "Bosnian"}, {"ca", "Catalan"}, {"ce", "Chechen"},
    {"ch", "Chamorro"}, {"chr", "Cherokee"}, {"ckb", "Central Kurdish"}, {"cnr", "Montenegrin"},
    {"co", "Corsican"}, {"cr", "Cree"}, {"cs", "Czech"}, {"csb", "Kashubian"}, {"cu", "Church Slavic"},
    {"cv", "Chuvash"}, {"cy", "Welsh"}, {"da", "Danish"}, {"de", "German"}, {"dsb", "Lower Sorbian"},
    {"dv", "Divehi"}, {"dz", "Dzongkha"}, {"ee", "Ewe"}, {"el", "Greek"}, {"en", "English"},
    {"en-GB", "English (United Kingdom)"}, {"eo", "Esperanto"}, {"es", "Spanish"},
    {"es-AR", "Spanish (Argentina)"}, {"es-MX", "Spanish (Mexico)"}, {"et", "Estonian"}, {"eu", "Basque"},
    {"fa", "Persian"}, {"ff", "Fula"}, {"fi", "Finnish"}, {"fil", "Filipino"}, {"fj", "Fijian"},
    {"fo", "Faroese"}, {"fr", "French"}, {"fr-CA", "French (Canada)"}, {"fr-QC", "French (Québec)"},
    {"fy", "Western Frisian"}, {"ga", "Irish"}, {"gd", "Scottish Gaelic"}, {"gl", "Galician"},
    {"gn", "Guarani"}, {"gsw", "Swiss German"}, {"gu", "Gujarati"}, {"gv", "Manx"}, {"ha", "Hausa"},
    {"haw", "Hawaiian"}, {"he", "Hebrew"}, {"hi", "Hindi"}, {"ho", "Hiri Motu"}, {"hr", "Croatian"},
    {"hsb", "Upper Sorbian"}, {"ht", "Haitian"}, {"hu", "Hungarian"}, {"hy", "Armenian"}, {"hz", "Herero"},
    {"ia", "Interlingua"}, {"id", "Indonesian"}, {"ie", "Interlingue"}, {"ig", "Igbo"}, {"ii", "Sichuan Yi"},
    {"ik", "Inupiaq"}, {"io", "Ido"}, {"is", "Icelandic"}, {"it", "Italian"}, {"iu", "Inuktitut"},
    {"ja", "Japanese"}, {"jbo", "Lojban"}, {"jv", "Javanese"}, {"ka", "Georgian"}, {"kab", "Kabyle"},
    {"kg", "Kongo"}, {"ki", "Kikuyu"}, {"kj", "Kwanyama"}, {"kk", "Kazakh"}, {"kl", "Kalaallisut"},
    {"km", "Khmer"}, {"kn", "Kannada"}, {"ko", "Korean"}, {"kr", "Kanuri"}, {"ks", "Kashmiri"},
    {"ku", "Kurdish"}, {"kv", "Komi"}, {"kw", "Cornish"}, {"ky", "Kyrgyz"}, {"la", "Latin"},
    {"lb", "Luxembourgish"}, {"ldn", "Láadan"}, {"lfn", "Lingua Franca Nova"}, {"lg", "Ganda"},
    {"li", "Limburgish"}, {"ln", "Lingala"}, {"lo", "Lao"}, {"lt", "Lithuanian"}, {"lu", "Luba-Katanga"},
    {"lv", "Latvian"}, {"mg", "Malagasy"}, {"mh", "Marshallese"}, {"mi", "Māori"}, {"mk", "Macedonian"},
    {"ml", "Malayalam"}, {"mn", "Mongolian"}, {"moh", "Mohawk"}, {"mr", "Marathi"}, {"ms", "Malay"},
    {"mt", "Maltese"}, {"my", "Burmese"}, {"na", "Nauru"}, {"nan-TW", "Hokkien (Taiwan)"},
    {"nb", "Norwegian Bokmål"}, {"nd", "Northern Ndebele"}, {"nds", "Low German"}, {"ne", "Nepali"},
    {"ng", "Ndonga"}, {"nl", "Dutch"}, {"nn", "Norwegian Nynorsk"}, {"no", "Norwegian"},
    {"nr", "Southern Ndebele"}, {"nv", "Navajo"}, {"ny", "Chichewa"}, {"oc", "Occitan"}, {"oj", "Ojibwe"},
    {"om", "Oromo"}, {"or", "Odia"}, {"os", "Ossetian"}, {"pa", "Punjabi"}, {"pdc", "Pennsylvania Dutch"},
    {"pi", "Pali"}, {"pl", "Polish"}, {"ps", "Pashto"}, {"pt", "Portuguese"},
    {"pt-BR", "Portuguese (Brazil)"}, {"pt-PT", "Portuguese (Portugal)"}, {"qu", "Quechua"},
    {"rm", "Romansh"}, {"rn", "Kirundi"}, {"ro", "Romanian"}, {"ru", "Russian"}, {"rw", "Kinyarwanda"},
    {"sa", "Sanskrit"}, {"sc", "Sardinian"}, {"sco", "Scots"}, {"sd", "Sindhi"}, {"se", "Northern Sami"},
    {"sg", "Sango"}, {"si", "Sinhala"}, {"sk", "Slovak"}, {"sl", "Slovenian"}, {"sm", "Samoan"},
    {"sma", "Southern Sami"}, {"smj", "Lule Sami"}, {"sn", "Shona"}, {"so", "Somali"}, {"sq", "Albanian"},
    {"sr", "Serbian"}, {"sr-Latn", "Serbian (Latin script)"}, {"ss", "Swati"}, {"st", "Southern Sotho"},
    {"su", "Sundanese"}, {"sv", "Swedish"}, {"sw", "Swahili"}, {"szl", "Silesian"}, {"ta", "Tamil"},
    {"te", "Telugu"}, {"tg", "Tajik"}, {"th", "Thai"}, {"ti", "Tigrinya"}, {"tk", "Turkmen"},
    {"tl", "Tagalog"}, {"tn", "Tswana"}, {"to", "Tongan"}, {"tok", "Toki Pona"}, {"tr", "Turkish"},
    {"ts", "Tsonga"}, {"tt", "Tatar"}, {"tw", "Twi"}, {"ty", "Tahitian"}, {"ug", "Uyghur"},
    {"uk", "Ukrainian"}, {"ur", "Urdu"}, {"uz", "Uzbek"}, {"vai", "Vai"}, {"ve", "Venda"},
    {"vi", "Vietnamese"}, {"vo", "Volapük"}, {"wa", "Walloon"}, {"wo", "Wolof"}, {"xal", "Kalmyk"},
    {"xh", "Xhosa"}, {"yi", "Yiddish"}, {"yo", "Yoruba"}, {"yue", "Cantonese"}, {"za", "Zhuang"},
    {"zba", "Balaibalan"}, {"zgh", "Standard Moroccan Tamazight"}, {"zh", "Chinese"},
    {"zh-CN", "Chinese (China)"}, {"zh-HK", "Chinese (Hong Kong)"}, {"zh-TW", "Chinese (Taiwan)"},
    {"zh-YUE", "Cantonese (Yue)"}, {"zu", "Zulu"},
};
// clang-format on

static_assert(std::ranges::is_sorted(table, {}, &Language::code));

// Ignores case, and accepts an underscore instead of the dash before the region.
std::optional<std::string_view> find_loosely(std::string_view code) {
    auto plain = [](char c) { return c == '_' ? '-' : ascii_lower(c); };
    for (const auto& language : table)
        if (std::ranges::equal(language.code, code, {}, plain, plain)) return language.code;
    return std::nullopt;
}

}  // namespace

std::span<const Language> languages() { return table; }

bool known_language(std::string_view code) {
    auto found = std::ranges::lower_bound(table, code, {}, &Language::code);
    return found != std::end(table) && found->code == code;
}

std::optional<std::string_view> find_language(std::string_view code) {
    if (auto found = find_loosely(code)) return found;
    return find_loosely(code.substr(0, code.find_first_of("-_")));
}

}  // namespace base::text
