// SPDX-License-Identifier: AGPL-3.0-or-later
// The parameters of one request from every source: path, query, urlencoded, multipart or JSON. All are
// flattened to (name, value) in the bracket notation of Rails: `poll[options][]`,
// `fields_attributes[0][name]`. http/form.hpp reads typed forms from them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

// An uploaded file. It is removed from disk with the last copy of `file`.
struct Upload {
    std::string filename;      // as the client gave it, last path component only
    std::string content_type;  // as the client gave it
    std::shared_ptr<const std::filesystem::path> file;
    std::uint64_t size = 0;
};

class Params {
public:
    static constexpr std::size_t max_count = 10'000, max_depth = 8, max_name = 1024;

    struct Entry {
        std::string name, value;
        std::shared_ptr<const Upload> upload;  // in place of a value
        bool nothing = false;                  // an explicit [] in JSON, named `x[]`, or null, named `x`
        // The decoded data: URI, once it has been requested.
        mutable std::shared_ptr<const Upload> unpacked{};
    };

    // Names and values are cleaned: NUL is removed, invalid UTF-8 becomes U+FFFD. Throws base::BadRequest
    // above the limits. A parameter without a name is ignored.
    void add(std::string name, std::string value);
    void add_upload(std::string name, Upload);
    void add_empty_list(std::string name);  // the list's name, without `[]`
    void add_null(std::string name);        // usually treated as not given

    // Replaces everything with this name or inside it; for path parameters.
    void set(std::string name, std::string value);

    // Replaces each text for which the function returns a value.
    void replace(const std::function<std::optional<std::string>(const Entry&)>& value);

    // Adds the parameters of `weaker` whose top-level names are not given here.
    void merge(Params weaker);

    // The last text with this name, or null.
    const std::string* find(std::string_view name) const;
    bool has_null(std::string_view name) const;
    // The file with this name, or null: an uploaded one, or one given as a data: URI. The latter is decoded
    // on first use, and only where files may be stored; throws base::Unavailable.
    const Upload* upload(std::string_view name) const;
    void keep_files_in(std::filesystem::path folder) { folder_ = std::move(folder); }

    // Whether any name is of the form `name[…]`.
    bool has_inside(std::string_view name) const;

    // The items of a list of scalars: `name[]`, `name[0]` and `name` itself unless it is empty, in order.
    std::vector<std::string_view> list(std::string_view name) const;

    // The parameters inside `name`, under their inner names: `source[privacy]` becomes `privacy`.
    Params inside(std::string_view name) const;

    // The objects of a list, each with its inner names, from `name[0][a]` (grouped by key) or from
    // `name[][a]` (a repeated key starts the next object).
    std::vector<Params> items(std::string_view name) const;

    const std::vector<Entry>& entries() const& { return entries_; }
    const std::vector<Entry>& entries() && = delete;
    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }

private:
    void push(Entry);

    std::vector<Entry> entries_;
    std::filesystem::path folder_;
};

}  // namespace http
