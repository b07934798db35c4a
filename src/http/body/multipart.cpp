// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/multipart.hpp"

#include "base/errors.hpp"
#include "base/text/blank.hpp"
#include "base/text/utf8.hpp"
#include "http/body/spool.hpp"
#include "http/body/urlencoded.hpp"
#include "http/message.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace http {

namespace {

constexpr std::size_t max_padding = 64;  // blanks after a delimiter
constexpr std::string_view blanks = " \t";

// Takes a quoted string off the front. A backslash only escapes a quote or a backslash, because old browsers
// send whole Windows paths.
std::string quoted(std::string_view& text) {
    std::string out;
    text.remove_prefix(1);
    while (!text.empty() && text[0] != '"') {
        if (text[0] == '\\' && text.size() > 1 && (text[1] == '"' || text[1] == '\\')) text.remove_prefix(1);
        out += text[0];
        text.remove_prefix(1);
    }
    return out;
}

// The parameters of a header: `form-data; name="a"; filename=b`. If a name is repeated, the first one counts.
std::map<std::string, std::string> header_params(std::string_view header) {
    std::map<std::string, std::string> out;
    auto skip_to = [&](const char* stop) {
        auto at = std::min(header.find_first_of(stop), header.size());
        auto skipped = header.substr(0, at);
        header.remove_prefix(at);
        return skipped;
    };
    for (skip_to(";"); !header.empty(); skip_to(";")) {
        header.remove_prefix(1);
        auto name = base::text::ascii_lowered(base::text::trimmed(skip_to("=;"), blanks));
        if (!header.starts_with('=')) continue;
        header.remove_prefix(1);
        header.remove_prefix(std::min(header.find_first_not_of(" \t"), header.size()));
        out.try_emplace(
            name,
            header.starts_with('"') ? quoted(header) : std::string(base::text::trimmed(skip_to(";"), blanks))
        );
    }
    return out;
}

Headers header_lines(std::string_view block) {
    Headers out;
    while (!block.empty()) {
        auto line = block.substr(0, block.find("\r\n"));
        block.remove_prefix(std::min(block.size(), line.size() + 2));
        if (auto colon = line.find(':'); colon != std::string_view::npos)
            out.emplace_back(
                base::text::trimmed(line.substr(0, colon), blanks),
                base::text::trimmed(line.substr(colon + 1), blanks)
            );
    }
    return out;
}

// Browsers percent-encode these three characters and no others.
std::string browser_unescaped(std::string_view text) {
    std::string out;
    for (; !text.empty(); text.remove_prefix(1)) {
        auto code = text.substr(0, 3);
        char c = code == "%22" ? '"' : code == "%0D" ? '\r' : code == "%0A" ? '\n' : '\0';
        out += c ? c : text[0];
        if (c) text.remove_prefix(2);
    }
    return out;
}

// filename*=UTF-8''na%C3%AFve.png
std::optional<std::string> extended(const std::string& value) {
    auto tick = value.find('\'');
    auto second = tick == std::string::npos ? tick : value.find('\'', tick + 1);
    if (second == std::string::npos) return std::nullopt;
    return percent_decoded(std::string_view(value).substr(second + 1));
}

std::string last_component(const std::string& path) {
    auto at = path.find_last_of("/\\");
    return at == std::string::npos ? path : path.substr(at + 1);
}

struct Next {
    enum { unknown, no_delimiter, part, end } what;
    std::size_t length = 0;
};

// Whether this was a delimiter depends on what follows its text. `unknown` when more bytes are needed.
Next after_delimiter(std::string_view ahead) {
    if (ahead.starts_with("--")) return {Next::end, 2};
    auto padding = std::min(ahead.find_first_not_of(" \t"), ahead.size());
    if (padding > max_padding) return {Next::no_delimiter};
    auto rest = ahead.substr(padding);
    if (rest.starts_with("\r\n")) return {Next::part, padding + 2};
    if (rest.empty() || rest == "\r" || ahead == "-") return {Next::unknown};
    return {Next::no_delimiter};
}

}  // namespace

struct Multipart::Part {
    std::string name, text;
    Upload upload;
    std::optional<Spool> file;
};

Multipart::Multipart(
    std::string_view content_type, std::filesystem::path spool_dir, Params& into, Files wanted
)
    : spool_dir_(std::move(spool_dir)), into_(into), wanted_(wanted) {
    auto boundary = header_params(content_type)["boundary"];
    if (boundary.empty() || boundary.size() > 200 || boundary.find_first_of("\r\n") != std::string::npos)
        throw base::BadRequest("The multipart body has no valid boundary");
    delimiter_ = "\r\n--" + boundary;
}

Multipart::~Multipart() = default;

void Multipart::feed(std::string_view piece) {
    if (piece.empty() || state_ == State::epilogue) return;
    fed_ = true;
    buffer_ += piece;
    std::size_t at = 0;
    for (bool more = true; more;) at += step(std::string_view(buffer_).substr(at), more);
    buffer_.erase(0, at);
}

void Multipart::finish() {
    if (fed_ && state_ != State::epilogue) throw base::BadRequest("The multipart body ends too early");
}

// Each reader returns how many bytes it consumed, and clears `more` when it needs further ones.
std::size_t Multipart::step(std::string_view ahead, bool& more) {
    if (state_ == State::headers) return read_headers(ahead, more);
    if (state_ != State::epilogue) return read_content(ahead, more);
    more = false;
    return ahead.size();
}

std::size_t Multipart::read_headers(std::string_view ahead, bool& more) {
    bool none = ahead.starts_with("\r\n");
    auto end = none ? 0 : ahead.substr(0, max_headers + 4).find("\r\n\r\n");
    if (end == std::string_view::npos) {
        if (ahead.size() >= max_headers + 4)
            throw base::BadRequest("The headers of a multipart part are too long");
        more = false;
        return 0;
    }
    begin_part(ahead.substr(0, end));
    state_ = State::content;
    return end + (none ? 2 : 4);
}

std::size_t Multipart::read_content(std::string_view ahead, bool& more) {
    auto hit = ahead.find(delimiter_);
    if (hit == std::string_view::npos) {
        more = false;
        auto safe = ahead.size() - std::min(ahead.size(), delimiter_.size() - 1);
        take(ahead.substr(0, safe));
        return safe;
    }
    auto used = hit + delimiter_.size();
    auto next = after_delimiter(ahead.substr(used));
    take(ahead.substr(0, next.what == Next::no_delimiter ? used : hit));
    if (next.what == Next::no_delimiter) return used;
    if (next.what == Next::unknown) {
        more = false;
        return hit;
    }
    end_part();
    state_ = next.what == Next::end ? State::epilogue : State::headers;
    return used + next.length;
}

void Multipart::begin_part(std::string_view block) {
    if (++parts_ > max_parts) throw base::BadRequest("The multipart body has too many parts");
    auto headers = header_lines(block);
    auto given = header_params(find_header(headers, "Content-Disposition"));
    auto name = given.find("name");
    if (name == given.end()) return;
    auto part = std::make_unique<Part>();
    part->name = browser_unescaped(name->second);

    std::optional<std::string> filename;
    if (auto star = given.find("filename*"); star != given.end()) filename = extended(star->second);
    if (auto plain = given.find("filename"); !filename && plain != given.end())
        filename = browser_unescaped(plain->second);
    if (filename) {
        if (filename->empty()) return;  // a file input of a page without a chosen file
        if (wanted_ == Files::refuse) throw base::Unauthorized();
        if (wanted_ == Files::drop) return;
        if (++files_ > max_files) throw base::BadRequest("The multipart body has too many files");
        part->upload.filename = last_component(*filename);
        part->upload.content_type = find_header(headers, "Content-Type");
        part->file.emplace(spool_dir_);
    }
    part_ = std::move(part);
}

void Multipart::take(std::string_view content) {
    if (!part_ || content.empty()) return;
    if (part_->file) return part_->file->write(content);
    texts_ += content.size();
    if (part_->text.size() + content.size() > max_text || texts_ > max_texts)
        throw base::BadRequest("A text in the multipart body is too long");
    part_->text += content;
}

void Multipart::end_part() {
    auto part = std::exchange(part_, nullptr);
    if (!part) return;
    if (!part->file) return into_.add(std::move(part->name), std::move(part->text));
    part->upload.size = part->file->size();
    part->upload.file = part->file->path();
    into_.add_upload(std::move(part->name), std::move(part->upload));
}

}  // namespace http
