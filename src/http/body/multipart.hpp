// SPDX-License-Identifier: AGPL-3.0-or-later
// Bodies of multipart/form-data (RFC 7578), read piece by piece: files go to disk as they come, texts to
// Params. How the body was cut into pieces never changes the outcome. Lines end in CRLF; a body with bare LF
// is refused. See tests/fuzz/multipart_fuzz.cpp.
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

    static constexpr std::size_t max_files = 8;  // no form has more

    // What becomes of files: kept in the spool; left out; or base::Unauthorized is thrown at the first.
    enum class Files { keep, drop, refuse };

    // `content_type` is the whole header. Every member throws base::BadRequest on what cannot be read, and
    // feed() base::Unavailable when a file cannot be written. `into` must outlive this.
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
    std::string buffer_ = "\r\n";  // as if a line had ended before the first delimiter
    std::size_t parts_ = 0, files_ = 0, texts_ = 0;
    std::unique_ptr<Part> part_;  // the one being read; null in the preamble and in a part to be skipped
};

}  // namespace http
