// SPDX-License-Identifier: AGPL-3.0-or-later
// Whatever another server sends, reading it ends, and what would be stored of it is clean. Good seeds are the documents
// of real programs: DUNLIN_FEDERATION_VECTORS/fixtures.
#include "ap/activity.hpp"
#include "ap/actor.hpp"
#include "ap/collection.hpp"
#include "ap/content.hpp"
#include "ap/nodeinfo.hpp"
#include "ap/object.hpp"
#include "ap/quote_authorization.hpp"
#include "ap/url.hpp"
#include "ap/webfinger.hpp"
#include "base/text/utf8.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace ap;

constexpr Time now{1'800'000'000'000};

void expect(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void check_text(const std::string& text) {
    expect(base::text::valid_utf8(text) && text.find('\0') == text.npos, "text is not clean");
}

void check_html(const std::string& html) {
    check_text(html);
    expect(html.find("<script") == html.npos, "unsafe HTML");
}

void check_object(const Object& object) {
    expect(is_web_url(object.id), "id");
    expect(object.attributed_to.empty() || same_host(object.id, object.attributed_to), "author");
    expect(object.tags.mentions.size() <= most_mentions && object.media.size() <= most_media, "counts");
    expect(!object.published || *object.published <= now, "published");
    if (object.poll)
        expect(!object.poll->options.empty() && object.poll->options.size() <= most_options, "poll");
    check_html(content_html(object));
    check_text(warning(object));
    for (const auto& media : object.media) {
        expect(!host_of(media.url).empty(), "media");
        check_text(media.description);
    }
}

void check_actor(const Actor& actor) {
    expect(is_web_url(actor.id) && is_web_url(actor.inbox) && is_username(actor.username), "actor");
    expect(actor.fields.size() <= most_fields && actor.keys.size() <= most_keys, "counts");
    check_html(summary_html(actor));
    check_text(actor.name);
    for (const auto& field : actor.fields) check_html(field_html(field));
}

void check(const Document& document, int depth) {
    if (auto object = read_object(document, now)) check_object(*object);
    if (auto actor = read_actor(document, now)) check_actor(*actor);
    (void)read_quote_authorization(document);
    if (auto collection = read_collection(document)) {
        expect(collection->items.size() <= most_items, "items");
        (void)next_page(*collection, collection->id);
    }
    auto activity = read_activity(document, now);
    if (!activity) return;
    expect(is_web_url(activity->actor), "actor");
    check_text(reaction_of(*activity));
    if (may_trust_embedded(*activity)) expect(same_host(activity->object.id, activity->actor), "trusted");
    for (const auto& reference : activity->objects)
        if (reference.embedded && depth < 3) check(reference.embedded, depth + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    if (auto document = read_json(text)) check(*document, 0);
    (void)read_jrd(text);
    (void)read_nodeinfo(text);
    (void)nodeinfo_link(text);
    (void)lrdd_template(text);
    (void)is_activity_type(text);
    (void)parse_handle(text);
    if (auto url = web_url(text); !url.empty())
        expect(is_web_url(url) && web_url(url) == url, "address is not stable");
    return 0;
}
