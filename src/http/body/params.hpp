// SPDX-License-Identifier: AGPL-3.0-or-later
// The parameters of one request, whatever they came in: path, query, urlencoded, multipart or JSON. All are
// flattened to (name, value) in the bracket form of Rails: `poll[options][]`, `fields_attributes[0][name]`.
// Typed forms are read from it by http/form.hpp.
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

// A file that came with a request. It is removed from disk when the last copy of `file` goes.
struct Upload {
    std::string filename;      // its last component only; what the client claimed
    std::string content_type;  // likewise
    std::shared_ptr<const std::filesystem::path> file;
    std::uint64_t size = 0;
};

class Params {
public:
    static constexpr std::size_t max_count = 10'000, max_depth = 8, max_name = 1024;

    struct Entry {
        std::string name, value;
        std::shared_ptr<const Upload> upload;  // instead of a value
        bool nothing = false;                  // an explicit [] of JSON, named `x[]`, or null, named `x`
        bool is_null() const { return nothing && !name.ends_with("[]"); }
        // What the data: URI held, once it was asked for.
        mutable std::shared_ptr<const Upload> unpacked{};
    };

    // Names and values are cleaned: NUL is dropped, what is not UTF-8 becomes U+FFFD. Throws base::BadRequest
    // above the three bounds. A parameter without a name is dropped.
    void add(std::string name, std::string value);
    void add_upload(std::string name, Upload);
    void add_empty_list(std::string name);  // of the list, without `[]`
    void add_null(std::string name);        // which most take as not given

    // Replaces all that has this name or lies inside it; for the parameters of the path.
    void set(std::string name, std::string value);

    // Gives each text the value that is answered for it, if any, in its place.
    void replace(const std::function<std::optional<std::string>(const Entry&)>& value);

    // Takes over what `weaker` holds under top-level names that are not given here.
    void merge(Params weaker);

    // The last text of this name, or null.
    const std::string* find(std::string_view name) const;
    bool has_null(std::string_view name) const;
    // The file of this name, or null: one that was sent, or one that is in the text as a data: URI. Such a text is
    // unpacked when first asked for, and only where files may be kept; throws base::Unavailable.
    const Upload* upload(std::string_view name) const;
    void keep_files_in(std::filesystem::path folder) { folder_ = std::move(folder); }

    // Whether anything but null is named `name[…]`.
    bool has_inside(std::string_view name) const;

    // The items of a list of scalars: `name[]`, `name[0]` and `name` itself unless it is empty, in order.
    std::vector<std::string_view> list(std::string_view name) const;

    // What is inside `name`, under its inner name: `source[privacy]` becomes `privacy`.
    Params inside(std::string_view name) const;

    // The objects of a list, each with its inner names, from `name[0][a]` (grouped by key) or from
    // `name[][a]` (a repeated key starts the next object). One that holds nothing but nulls is none.
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
