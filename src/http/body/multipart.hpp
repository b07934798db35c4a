// SPDX-License-Identifier: AGPL-3.0-or-later
// Parses multipart/form-data (RFC 7578) incrementally: files go to disk as they arrive, texts to Params. The
// result does not depend on how the body is split into pieces. Lines must end in CRLF; bare LF is refused.
// See tests/fuzz/multipart_fuzz.cpp.
#pragma once
#include "http/body/params.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace http {

class Multipart {
public:
    static constexpr std::size_t max_parts = 1000, max_headers = 16 << 10;  // headers: bytes per part
    static constexpr std::size_t max_text = 1 << 20, max_texts = 4 << 20;   // bytes per part and in all

    static constexpr std::size_t max_files = 8;  // more than any form has

    // What to do with files: store them in the spool, skip them, or throw base::Unauthorized at the first.
    enum class Files { keep, drop, refuse };

    // `content_type` is the whole header. All functions throw base::BadRequest for unreadable input, and
    // feed() throws base::Unavailable when a file cannot be written. `into` must outlive this.
    Multipart(
        std::string_view content_type, std::filesystem::path spool_dir, Params& into, Files = Files::keep
    );
    ~Multipart();

    void feed(std::string_view piece);
    void finish();  // the body is complete; an empty one is allowed

private:
    enum class State { preamble, headers, content, epilogue };
    struct Part;

    std::size_t step(std::string_view ahead, bool& more);
    std::size_t read_headers(std::string_view ahead, bool& more);
    std::size_t read_content(std::string_view ahead, bool& more);
    void begin_part(std::string_view headers);
    void take(std::string_view content);
    void end_part();

    std::string delimiter_;  // CRLF, two dashes and the boundary
    std::filesystem::path spool_dir_;
    Params& into_;
    Files wanted_;
    State state_ = State::preamble;
    bool fed_ = false;
    std::string buffer_ = "\r\n";  // as if a line ended before the first delimiter
    std::size_t parts_ = 0, files_ = 0, texts_ = 0;
    std::unique_ptr<Part> part_;  // being read; null in the preamble and in a skipped part
};

}  // namespace http
