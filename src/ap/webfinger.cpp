// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/webfinger.hpp"

#include "ap/actor.hpp"
#include "ap/url.hpp"
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace ap {

namespace {

constexpr std::size_t longest_host_meta = 64 * 1024;

bool is_self(Node link) {
    auto type = link["type"].text(200);
    return link["rel"].text(200) == "self" && is_activity_type(type);
}

bool starts_with(std::string_view text, std::string_view start) {
    return base::text::same_ignoring_ascii_case(text.substr(0, start.size()), start);
}

// The value of an attribute inside one XML tag.
std::string xml_attribute(std::string_view tag, std::string_view name) {
    for (auto at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
        constexpr std::string_view blank = " \t\r\n";
        if (at == 0 || blank.find(tag[at - 1]) == blank.npos) continue;
        auto rest = tag.substr(at + name.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
        if (!rest.starts_with('=')) continue;
        rest.remove_prefix(1);
        rest.remove_prefix(std::min(rest.find_first_not_of(blank), rest.size()));
        if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) continue;
        auto end = rest.find(rest[0], 1);
        if (end == rest.npos) return {};
        std::string out(rest.substr(1, end - 1));
        for (auto amp = out.find("&amp;"); amp != out.npos; amp = out.find("&amp;", amp + 1))
            out.erase(amp + 1, 4);
        return out;
    }
    return {};
}

std::string template_in_xml(std::string_view xml) {
    std::size_t end = 0;
    for (auto at = xml.find('<'); at != xml.npos; at = xml.find('<', end)) {
        end = xml.find('>', at);
        if (end == xml.npos) return {};
        auto tag = xml.substr(at + 1, end - at - 1);
        auto name = tag.substr(0, tag.find_first_of(" \t\r\n/"));
        if (name != "Link" && !name.ends_with(":Link")) continue;
        if (xml_attribute(tag, "rel") == "lrdd") return xml_attribute(tag, "template");
    }
    return {};
}

std::string template_in_json(std::string_view json) {
    auto document = read_json(json);
    if (!document) return {};
    for (auto link : (*document)["links"].each())
        if (link["rel"].text(100) == "lrdd") return link["template"].text(longest_url);
    return {};
}

std::string filled(std::string_view pattern, std::string_view uri) {
    auto at = pattern.find("{uri}");
    if (at == pattern.npos) return {};
    return web_url(
        std::string(pattern.substr(0, at)) + std::string(uri) + std::string(pattern.substr(at + 5))
    );
}

std::string* intent_named(Jrd& jrd, std::string_view rel) {
    if (rel == "https://w3id.org/fep/3b86/Follow") return &jrd.follow;
    if (rel == "https://w3id.org/fep/3b86/Object") return &jrd.object;
    if (rel == "http://ostatus.org/schema/1.0/subscribe") return &jrd.subscribe;
    return nullptr;
}

// What it has other variables for is left empty (RFC 6570 section 3.2.1); "" when it has none for the address.
std::string expanded(std::string_view pattern, std::string_view encoded_id) {
    std::string out;
    bool named = false;
    while (true) {
        auto open = pattern.find('{'), close = pattern.find('}', open);
        out += pattern.substr(0, open);
        if (close == pattern.npos) break;
        auto variable = pattern.substr(open + 1, close - open - 1);
        if (variable == "uri" || variable == "object") {
            out += encoded_id;
            named = true;
        }
        pattern.remove_prefix(close + 1);
    }
    return named && is_web_url(out) ? out : "";
}

}  // namespace

std::optional<Handle> parse_handle(std::string_view text) {
    if (starts_with(text, "acct:")) text.remove_prefix(5);
    if (text.starts_with('@')) text.remove_prefix(1);
    auto at = text.find('@');
    if (at == text.npos) return std::nullopt;
    auto name = text.substr(0, at);
    auto domain = host_of("https://" + std::string(text.substr(at + 1)));
    bool bare = text.find_first_of("/?#\\", at) == text.npos;
    if (!is_username(name) || domain.empty() || !bare) return std::nullopt;
    return Handle{std::string(name), std::move(domain)};
}

bool same_handle(const Handle& a, const Handle& b) {
    return base::text::same_ignoring_ascii_case(a.name, b.name) && a.domain == b.domain;
}

std::string webfinger_url(const Handle& handle, bool plain_http) {
    return (plain_http ? "http://" : "https://") + handle.domain +
           "/.well-known/webfinger?resource=acct:" + handle.text();
}

std::string host_meta_url(std::string_view domain, bool plain_http) {
    return (plain_http ? "http://" : "https://") + std::string(domain) + "/.well-known/host-meta";
}

Reading<Jrd> read_jrd(std::string_view json) {
    auto document = read_json(json);
    if (!document) return document.why();
    Jrd out;
    auto subject = parse_handle((*document)["subject"].text(4096));
    if (!subject) return Refusal::no_name;
    out.subject = std::move(*subject);
    for (auto link : (*document)["links"].each()) {
        auto rel = link["rel"].text(200);
        if (is_self(link) && out.self.empty()) out.self = link["href"].web_id();
        else if (rel == "http://webfinger.net/rel/profile-page" && out.profile.empty())
            out.profile = link["href"].link();
        else if (auto* intent = intent_named(out, rel); intent && intent->empty())
            if (auto pattern = link["template"].text(longest_url); is_web_url(pattern)) *intent = pattern;
    }
    if (out.self.empty()) return Refusal::no_links;
    return out;
}

std::string intent_url(const Jrd& jrd, std::string_view encoded_id, bool is_actor) {
    for (const auto* pattern : {is_actor ? &jrd.follow : &jrd.object, &jrd.subscribe, &jrd.object})
        if (auto url = expanded(*pattern, encoded_id); !url.empty()) return url;
    return {};
}

std::string lrdd_template(std::string_view host_meta) {
    if (host_meta.size() > longest_host_meta) return {};
    auto first = host_meta.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == host_meta.npos) return {};
    return host_meta[first] == '{' ? template_in_json(host_meta) : template_in_xml(host_meta);
}

Found look_up(const Handle& asked, const std::function<Answer(const std::string&)>& get, bool plain_http) {
    auto ask = [&](const Handle& handle, bool elsewhere) -> std::pair<Found::Outcome, std::optional<Jrd>> {
        auto answer = get(webfinger_url(handle, plain_http));
        if (answer.status == 404 && elsewhere) {
            auto meta = get(host_meta_url(handle.domain, plain_http));
            auto url = meta.status == 200 ? filled(lrdd_template(meta.body), "acct:" + handle.text())
                                          : std::string();
            if (url.empty()) return {Found::failed, std::nullopt};
            answer = get(url);
        }
        if (answer.status == 410) return {Found::gone, std::nullopt};
        if (answer.status != 200) return {Found::failed, std::nullopt};
        auto jrd = read_jrd(answer.body);
        if (!jrd) return {Found::failed, std::nullopt};
        return {Found::found, std::move(*jrd)};
    };
    Found out;
    auto [outcome, jrd] = ask(asked, true);
    out.outcome = outcome;
    if (!jrd) return out;
    if (!same_handle(jrd->subject, asked)) {
        auto other = jrd->subject;
        std::tie(outcome, jrd) = ask(other, false);
        // That the other handle is gone says nothing of the one asked for.
        out.outcome = Found::failed;
        if (!jrd || !same_handle(jrd->subject, other)) return out;
        out.outcome = Found::found;
    }
    out.handle = jrd->subject;
    out.actor = jrd->self;
    return out;
}

}  // namespace ap
