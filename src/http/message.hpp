// SPDX-License-Identifier: AGPL-3.0-or-later
// HTTP messages as values, exchanged with net/. No sockets.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace http {

enum class Method { get, head, post, put, patch, delete_, options };

std::string_view to_string(Method);

// Names are case-insensitive. Kept in the order received.
using Headers = std::vector<std::pair<std::string, std::string>>;

std::string_view find_header(const Headers&, std::string_view name);  // empty if absent
bool same_header_name(std::string_view, std::string_view);

struct Request {
    Method method = Method::get;
    std::string target;  // as sent: path and query
    Headers headers;
    std::string body;
    std::string remote_address;  // of the client, according to trusted proxies
    bool secure = false;         // TLS here or at a trusted proxy
    std::string id;              // request id, for the log and X-Request-Id

    std::string_view header(std::string_view name) const { return find_header(headers, name); }
    std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
    std::string_view query() const {
        auto at = target.find('?');
        return at == std::string::npos ? std::string_view{} : std::string_view(target).substr(at + 1);
    }
};

// A file to send as the body; net/ uses sendfile where possible and supports Range requests.
struct FileBody {
    std::filesystem::path path;
};

struct Response {
    int status = 200;
    std::string content_type = "application/json; charset=utf-8";
    Headers headers;
    std::string_view common_headers;  // headers most responses share: lines ending in \r\n, in static storage
    std::string body;
    std::optional<FileBody> file;  // instead of body
    bool compressible = true;      // false: it mixes a secret with input from the request

    std::string_view header(std::string_view name) const;  // in both kinds of headers; empty if absent
};

// A reply that cannot be forgotten: if destroyed unanswered, it answers 503 with Retry-After.
class Pending {
public:
    using Send = std::function<void(Response)>;
    explicit Pending(Send send) : send_(std::move(send)) {}
    Pending(Pending&& other) noexcept : send_(std::exchange(other.send_, nullptr)) {}
    Pending& operator=(Pending&&) = delete;
    ~Pending();
    void answer(Response response) { std::exchange(send_, nullptr)(std::move(response)); }

private:
    Send send_;
};

}  // namespace http
