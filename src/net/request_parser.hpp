// SPDX-License-Identifier: AGPL-3.0-or-later
// Parses one request: RFC 9112, but strict wherever servers have been known to read the same bytes
// differently (both lengths, repeated lengths, folded headers, bare LF, spaces before the colon). Does no I/O
// and keeps nothing of the body.
#pragma once
#include "http/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace net {

// Why a request is not served. The connection cannot be used after a refusal.
struct Refusal {
    int status = 0;
    std::string_view text;  // static
};

enum class Progress { more, done, refused };

class RequestParser {
public:
    explicit RequestParser(std::size_t head_limit);
    RequestParser(RequestParser&&) noexcept;
    RequestParser& operator=(RequestParser&&) noexcept;
    ~RequestParser();

    struct Step {
        Progress progress;
        std::size_t used;  // bytes that are consumed; pass the others again
    };

    Step read_head(std::string_view bytes);

    struct BodyStep : Step {
        std::string_view data;  // points into `bytes`
    };
    // Returns at the first of: data, the end, or no more input.
    BodyStep read_body(std::string_view bytes);

    Refusal refusal() const;
    const http::Request& request() const;  // complete after read_head, except for the body
    http::Request take();                  // without its body; the getters below remain valid
    bool has_body() const;
    std::optional<std::uint64_t> declared_length() const;  // none: the body is chunked
    bool keep_alive() const;
    bool http_1_0() const;
    bool expects_continue() const;

private:
    class Reader;
    std::unique_ptr<Reader> reader_;
};

}  // namespace net
