// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/params.hpp"

#include "base/errors.hpp"
#include "http/body/read_params.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace http {

namespace {

// The length of the well-formed UTF-8 sequence at the front, or 0.
std::size_t sequence(std::string_view s) {
    auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    auto lead = byte(0), next = byte(1);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F)) return 0;  // overlong, surrogate
        return tail(1) && tail(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if ((lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F)) return 0;
        return tail(1) && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

void clean(std::string& text) {
    if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) > 0; })) return;
    std::string out;
    out.reserve(text.size());
    for (std::string_view rest = text; !rest.empty();) {
        auto length = sequence(rest);
        if (length == 0) out += "\xEF\xBF\xBD";
        else if (rest[0] != '\0') out += rest.substr(0, length);
        rest.remove_prefix(std::max<std::size_t>(length, 1));
    }
    text = std::move(out);
}

// name[key]rest, split.
struct Inner {
    std::string_view key, rest;
    bool is_member() const { return !key.empty() && (rest.empty() || rest[0] == '['); }
    std::string name() const { return std::string(key) += rest; }
};

std::optional<Inner> inner(std::string_view full, std::string_view name) {
    auto open = name.size();
    if (full.size() < open + 2 || full[open] != '[' || !full.starts_with(name)) return std::nullopt;
    auto close = full.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    return Inner{full.substr(open + 1, close - open - 1), full.substr(close + 1)};
}

std::string_view top(std::string_view name) { return name.substr(0, name.find('[')); }

// Unpacked only once, so that reading the form again gives the same file.
void unpack(const Params::Entry& entry, const std::filesystem::path& folder) {
    if (folder.empty() || entry.unpacked || !is_data_uri(entry.value)) return;
    if (auto file = read_data_uri(entry.value, folder))
        entry.unpacked = std::make_shared<const Upload>(*std::move(file));
}

void bound(std::size_t count) {
    if (count > Params::max_count) throw base::BadRequest("The request has too many parameters");
}

}  // namespace

void Params::push(Entry entry) {
    if (entry.name.empty()) return;
    bound(entries_.size() + 1);
    if (entry.name.size() > max_name) throw base::BadRequest("The name of a parameter is too long");
    if (std::count(entry.name.begin(), entry.name.end(), '[') > static_cast<std::ptrdiff_t>(max_depth))
        throw base::BadRequest("The parameters are nested too deeply");
    clean(entry.name);
    clean(entry.value);
    entries_.push_back(std::move(entry));
}

void Params::add(std::string name, std::string value) {
    push({std::move(name), std::move(value), nullptr, false});
}

void Params::add_upload(std::string name, Upload upload) {
    clean(upload.filename);
    clean(upload.content_type);
    push({std::move(name), "", std::make_shared<const Upload>(std::move(upload)), false});
}

void Params::add_empty_list(std::string name) { push({std::move(name) += "[]", "", nullptr, true}); }

void Params::add_null(std::string name) { push({std::move(name), "", nullptr, true}); }

void Params::set(std::string name, std::string value) {
    std::erase_if(entries_, [&](const Entry& e) { return e.name == name || inner(e.name, name); });
    add(std::move(name), std::move(value));
}

void Params::replace(const std::function<std::optional<std::string>(const Entry&)>& value) {
    for (auto& entry : entries_)
        if (!entry.upload && !entry.nothing)
            if (auto other = value(entry)) entry.value = std::move(*other);
}

void Params::merge(Params weaker) {
    if (entries_.empty()) {
        entries_ = std::move(weaker.entries_);
        return;
    }
    if (weaker.empty()) return;
    std::set<std::string, std::less<>> mine;
    for (const auto& entry : entries_) mine.emplace(top(entry.name));
    std::erase_if(weaker.entries_, [&](const Entry& e) { return mine.contains(top(e.name)); });
    bound(entries_.size() + weaker.size());
    std::move(weaker.entries_.begin(), weaker.entries_.end(), std::back_inserter(entries_));
}

const std::string* Params::find(std::string_view name) const {
    for (auto it = entries_.rbegin(); it != entries_.rend(); ++it)
        if (it->name == name && !it->upload && !it->nothing) return &it->value;
    return nullptr;
}

bool Params::has_null(std::string_view name) const {
    return std::ranges::any_of(entries_, [&](const Entry& e) { return e.nothing && e.name == name; });
}

const Upload* Params::upload(std::string_view name) const {
    for (auto it = entries_.rbegin(); it != entries_.rend(); ++it) {
        if (it->name != name) continue;
        if (it->upload) return it->upload.get();
        unpack(*it, folder_);
        if (it->unpacked) return it->unpacked.get();
    }
    return nullptr;
}

bool Params::has_inside(std::string_view name) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return inner(e.name, name); });
}

std::vector<std::string_view> Params::list(std::string_view name) const {
    std::vector<std::string_view> out;
    for (const auto& entry : entries_) {
        if (entry.upload || entry.nothing) continue;
        auto at = inner(entry.name, name);
        if (at ? at->rest.empty() : entry.name == name && !entry.value.empty()) out.emplace_back(entry.value);
    }
    return out;
}

Params Params::inside(std::string_view name) const {
    Params out;
    out.folder_ = folder_;
    for (const auto& entry : entries_)
        if (auto at = inner(entry.name, name); at && at->is_member()) {
            unpack(entry, folder_);
            out.entries_.push_back({at->name(), entry.value, entry.upload, entry.nothing, entry.unpacked});
        }
    return out;
}

std::vector<Params> Params::items(std::string_view name) const {
    std::vector<Params> out;
    std::map<std::string_view, std::size_t> by_key;  // not hashed: collisions could be provoked
    std::set<std::string_view> seen;                 // in the object that name[][…] currently fills
    std::optional<std::size_t> filling;
    for (const auto& entry : entries_) {
        auto at = inner(entry.name, name);
        if (!at) continue;
        auto member = inner(at->rest, "");
        if (!member || !member->is_member()) continue;
        std::size_t index = out.size();
        if (at->key.empty()) {
            bool repeated = !seen.insert(at->rest).second && at->rest.find("[]") == std::string_view::npos;
            if (repeated) seen = {at->rest};
            if (repeated || !filling) filling = index;
            index = *filling;
        } else {
            index = by_key.try_emplace(at->key, index).first->second;
        }
        if (index == out.size()) out.emplace_back().folder_ = folder_;
        unpack(entry, folder_);
        out[index].entries_.push_back(
            {member->name(), entry.value, entry.upload, entry.nothing, entry.unpacked}
        );
    }
    return out;
}

}  // namespace http
