// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/document.hpp"

#include "ap/url.hpp"
#include "base/json_read.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ap {

namespace {

namespace json = boost::json;

constexpr std::string_view streams = "https://www.w3.org/ns/activitystreams";

std::string_view view(const json::string& text) { return {text.data(), text.size()}; }

bool names_streams(const json::value& context) {
    auto* text = context.if_string();
    if (!text) return false;
    auto name = view(*text);
    if (name.ends_with('#')) name.remove_suffix(1);
    return name == streams || name == "http://www.w3.org/ns/activitystreams";
}

bool names_security(const json::value& context) {
    auto* text = context.if_string();
    return text && view(*text).starts_with("https://w3id.org/security/");
}

bool has_context(const json::object& object) {
    auto* context = object.if_contains("@context");
    if (!context) return false;
    // A key that stands alone needs no words but those of security.
    bool is_key = object.contains("publicKeyPem") || object.contains("publicKeyMultibase");
    auto fits = [&](const json::value& one) { return names_streams(one) || (is_key && names_security(one)); };
    if (auto* list = context->if_array()) return std::ranges::any_of(*list, fits);
    return fits(*context);
}

std::string_view without_prefix(std::string_view type) {
    for (std::string_view prefix : {"as:", "https://www.w3.org/ns/activitystreams#"})
        if (type.starts_with(prefix)) return type.substr(prefix.size());
    return type;
}

constexpr std::string_view blanks = " \t\r\n";

// An id is kept as it came but for blanks around it; one that could hide something is none.
std::string id_in(std::string_view text) {
    text = base::text::trimmed(text, blanks);
    bool fine = text.size() <= longest_url && std::ranges::none_of(text, [](char c) {
                    return static_cast<unsigned char>(c) < ' ' || c == 0x7F;
                });
    return fine ? without_bearer(text) : std::string();
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

// `type; name="value"`: the value of a parameter of a media type, without its quotes.
std::string parameter(std::string_view content_type, std::string_view wanted) {
    auto at = content_type.find(';');
    while (at != content_type.npos) {
        content_type.remove_prefix(at + 1);
        bool quoted = false;
        std::size_t end = 0;
        for (; end < content_type.size() && (quoted || content_type[end] != ';'); ++end)
            if (content_type[end] == '"') quoted = !quoted;
        auto part = content_type.substr(0, end);
        auto equals = part.find('=');
        if (equals != part.npos && base::text::same_ignoring_ascii_case(
                                       base::text::trimmed(part.substr(0, equals), blanks), wanted
                                   )) {
            auto value = base::text::trimmed(part.substr(equals + 1), blanks);
            if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
                value = value.substr(1, value.size() - 2);
            return std::string(value);
        }
        at = end < content_type.size() ? end : content_type.npos;
    }
    return {};
}

}  // namespace

bool is_bare_json_ld(std::string_view content_type) {
    auto type = base::text::trimmed(content_type.substr(0, content_type.find(';')), blanks);
    return base::text::same_ignoring_ascii_case(type, "application/ld+json") &&
           parameter(content_type, "profile").empty();
}

bool is_activity_type(std::string_view content_type) {
    auto type = base::text::trimmed(content_type.substr(0, content_type.find(';')), blanks);
    if (base::text::same_ignoring_ascii_case(type, "application/activity+json")) return true;
    if (!base::text::same_ignoring_ascii_case(type, "application/ld+json")) return false;
    // The profile is a list of URLs, separated by blanks.
    auto profiles = parameter(content_type, "profile");
    std::string_view rest = profiles;
    while (!rest.empty()) {
        auto end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == streams) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

Node::Node(const json::value* value) : value_(value && !value->is_null() ? value : nullptr) {}

Node Node::operator[](std::string_view name) const {
    auto* object = value_ ? value_->if_object() : nullptr;
    return object ? Node(object->if_contains(name)) : Node();
}

std::vector<Node> Node::each(std::size_t most) const {
    std::vector<Node> out;
    if (!value_) return out;
    auto* list = value_->if_array();
    if (!list) {
        out.push_back(*this);
        return out;
    }
    for (const auto& item : *list) {
        if (out.size() >= most) break;
        if (!item.is_null()) out.emplace_back(&item);
    }
    return out;
}

Node Node::first() const {
    auto all = each(1);
    return all.empty() ? Node() : all.front();
}

std::string Node::text(std::size_t most_characters) const {
    if (!value_) return {};
    if (auto* text = value_->if_string()) return cut(base::text::clean_utf8(view(*text)), most_characters);
    auto literal = (*this)["@value"];
    return literal.is_text() ? literal.text(most_characters) : std::string();
}

std::string Node::id() const {
    auto one = first();
    if (one.is_object()) one = one["id"];
    return one.is_text() ? id_in(view(one.value_->get_string())) : std::string();
}

std::string Node::web_id() const {
    auto out = id();
    return is_web_url(out) ? out : std::string();
}

std::vector<std::string> Node::ids(std::size_t most) const {
    std::vector<std::string> out;
    for (auto node : each(most))
        if (auto id = node.id(); !id.empty()) out.push_back(std::move(id));
    return out;
}

std::string Node::link(std::string_view media_type) const {
    std::string untyped, other;
    for (auto node : each(64)) {
        std::string url;
        if (node.is_text()) url = web_url(view(node.value_->get_string()));
        else if (auto href = node["href"].first(); href.is_text()) url = href.link();
        else url = node["url"].link(media_type);
        if (url.empty()) continue;
        auto type = media_type_of(node);
        if (media_type.empty() || type.starts_with(media_type)) return url;
        auto& slot = type.empty() ? untyped : other;
        if (slot.empty()) slot = std::move(url);
    }
    return untyped.empty() ? other : untyped;
}

std::string media_type_of(Node node) {
    auto said = node["mediaType"].text(100);
    return said.empty() ? node["mimeType"].text(100) : said;
}

std::vector<std::string> Node::types() const {
    std::vector<std::string> out;
    for (auto node : (*this)["type"].each(16))
        if (node.is_text()) out.emplace_back(without_prefix(node.text(200)));
    return out;
}

std::string Node::type() const {
    auto all = types();
    return all.empty() ? std::string() : all.front();
}

bool Node::is(std::string_view type) const {
    auto all = types();
    return std::ranges::find(all, type) != all.end();
}

std::optional<bool> Node::boolean() const {
    return value_ && value_->is_bool() ? std::optional(value_->get_bool()) : std::nullopt;
}

std::optional<std::int64_t> Node::count() const {
    if (!value_) return std::nullopt;
    if (auto* n = value_->if_int64()) return *n >= 0 ? std::optional(*n) : std::nullopt;
    if (auto* d = value_->if_double(); d && *d >= 0 && *d < 9e15 && std::floor(*d) == *d)
        return static_cast<std::int64_t>(*d);
    return std::nullopt;
}

std::optional<double> Node::number() const {
    if (!value_ || !value_->is_number()) return std::nullopt;
    auto n = value_->to_number<double>();
    return std::isfinite(n) ? std::optional(n) : std::nullopt;
}

std::optional<Time> Node::time_to_come() const {
    if (!is_text()) return std::nullopt;
    return base::parse_time(base::text::trimmed(view(value_->get_string()), blanks));
}

std::optional<Time> Node::time(Time now) const {
    auto out = time_to_come();
    if (out && *out > now) return now;
    return out;
}

Text text_of(Node object, std::string_view name, std::size_t most_characters) {
    Text out;
    auto node = object[name].first();
    out.text = node.text(most_characters);
    out.language = node["@language"].text(35);
    auto* map = object[std::string(name) + "Map"].json();
    auto* texts = map ? map->if_object() : nullptr;
    if (texts && !texts->empty()) {
        const auto& [language, text] = *texts->begin();
        if (out.language.empty() && language != "und" && language != "@none" && language.size() <= 35)
            out.language = language;
        if (out.text.empty()) out.text = Node(&text).first().text(most_characters);
    }
    return out;
}

Document Document::at(Node node) const {
    Document out;
    if (!node.is_object()) return out;
    out.whole_ = whole_;
    out.root_ = node;
    return out;
}

namespace {

std::optional<unsigned> escaped_unit(std::string_view text) {
    if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
    unsigned unit = 0;
    auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
    return error == std::errc{} && end == text.data() + 6 ? std::optional(unit) : std::nullopt;
}

// Who cuts a text in the middle of an emoji, as programs in JavaScript do, sends half of it: that is replaced.
std::string without_halves(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t taken = text.starts_with('\\') ? std::min<std::size_t>(2, text.size()) : 1;
        bool half = false;
        if (auto unit = escaped_unit(text)) {
            auto next = escaped_unit(text.substr(6)).value_or(0);
            bool pair = *unit >= 0xD800 && *unit < 0xDC00 && next >= 0xDC00 && next < 0xE000;
            half = !pair && *unit >= 0xD800 && *unit < 0xE000;
            taken = pair ? 12 : 6;
        }
        out += half ? std::string_view("\\ufffd") : text.substr(0, taken);
        text.remove_prefix(taken);
    }
    return out;
}

json::value parsed(std::string_view text, boost::system::error_code& error) {
    json::parse_options options;
    options.max_depth = deepest_document;
    auto memory = json::make_shared_resource<json::monotonic_resource>(text.size());
    return json::parse(text, error, memory, options);
}

}  // namespace

Reading<Document> read_json(std::string_view text) {
    if (text.size() > longest_document) return Refusal::too_large;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    boost::system::error_code error;
    auto value = parsed(text, error);
    if (error && text.find("\\u") != text.npos) value = parsed(without_halves(text), error);
    if (error || !value.is_object()) return Refusal::not_json;
    Document out;
    auto whole = std::make_shared<const json::value>(std::move(value));
    out.root_ = Node(whole.get());
    out.whole_ = std::move(whole);
    return out;
}

Reading<Document> read_document(std::string_view text) {
    auto out = read_json(text);
    if (out && !has_context(out->root_.json()->get_object())) return Refusal::no_context;
    return out;
}

Reference reference(const Document& in, Node node) {
    auto one = node.first();
    return {one.id(), in.at(one)};
}

std::vector<Reference> references(const Document& in, Node node, std::size_t most) {
    std::vector<Reference> out;
    for (auto one : node.each(most))
        if (auto found = reference(in, one); !found.empty()) out.push_back(std::move(found));
    return out;
}

bool is_public(std::string_view id) {
    return id == "https://www.w3.org/ns/activitystreams#Public" || id == "as:Public" || id == "Public";
}

Kind kind_of(Node node) {
    constexpr auto actors =
        std::to_array<std::string_view>({"Application", "Group", "Organization", "Person", "Service"});
    constexpr auto objects = std::to_array<std::string_view>(
        {"Note", "Question", "Article", "Page", "Event", "Video", "Audio", "Image", "Tombstone"}
    );
    constexpr auto collections = std::to_array<std::string_view>(
        {"Collection", "OrderedCollection", "CollectionPage", "OrderedCollectionPage"}
    );
    // Others are known by their actor.
    constexpr auto activities = std::to_array<std::string_view>(
        {"Accept",
         "Add",
         "Announce",
         "Block",
         "Create",
         "Delete",
         "Flag",
         "Follow",
         "Like",
         "Move",
         "Reject",
         "Remove",
         "Undo",
         "Update"}
    );
    for (const auto& type : node.types()) {
        if (is_one_of(type, actors)) return Kind::actor;
        if (is_one_of(type, objects)) return Kind::object;
        if (is_one_of(type, collections)) return Kind::collection;
    }
    auto type = node.type();
    return is_one_of(type, activities) || (node["actor"] && !type.empty()) ? Kind::activity : Kind::other;
}

std::string cut(std::string_view text, std::size_t most_characters) {
    std::size_t at = 0;
    for (std::size_t n = 0; at < text.size() && n < most_characters; ++n)
        at += base::text::decode(text, at).size;
    return std::string(text.substr(0, at));
}

}  // namespace ap
