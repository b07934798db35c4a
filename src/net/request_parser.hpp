// SPDX-License-Identifier: AGPL-3.0-or-later
// Reads one request from bytes: RFC 9112, but strict wherever two servers have been known to read the same
// bytes differently (both lengths, repeated lengths, folded headers, bare LF, spaces before the colon). No
// socket here, and nothing of the body is kept.
#pragma once
#include "http/message.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace net {

// Why a request is not served. After a refusal the connection cannot be used any more.
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
        std::size_t used;  // bytes that need not be shown again; the others must
    };

    Step read_head(std::string_view bytes);

    struct BodyStep : Step {
        std::string_view data;  // inside what was shown
    };
    // Until the first of: data, the end, nothing more to see.
    BodyStep read_body(std::string_view bytes);

    Refusal refusal() const;
    const http::Request& request() const;  // complete after read_head, except for the body
    http::Request take();                  // without its body; what is asked below stays
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
