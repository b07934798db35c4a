// SPDX-License-Identifier: AGPL-3.0-or-later
// One request to a bucket and its response, by libcurl. Private to net/s3.
#pragma once
#include "net/client/transfer.hpp"
#include "net/s3/client.hpp"

#include <mutex>

namespace net::s3 {

struct Question {
    std::string method, key;  // no key: the bucket itself
    Pairs query, headers;
    std::string body;
    // A part of a file, instead of a body.
    std::filesystem::path file;
    std::uint64_t offset = 0, length = 0;
    std::string payload;         // SHA-256 of the body or the part, in hex
    int into = -1;               // descriptor for the body of a successful response; -1: keep it in memory
    std::uint64_t expected = 0;  // bytes of the response, which determine the timeout
};

struct Answered {
    int status = 0;
    Pairs headers;
    std::string body;    // at most one megabyte
    std::string sha256;  // of what was written to the file
    std::string_view header(std::string_view name) const;
};

// The content of an XML element; empty if there is none.
std::string element(std::string_view xml, std::string_view name, std::size_t from = 0);

// Reuses connections.
class Exchange {
public:
    explicit Exchange(const Options&);
    Answered ask(const Question&);                      // throws Failure when there is no response
    std::string address(const std::string& key) const;  // without a query
    const std::string& host() const { return host_; }
    std::string path(const std::string& key) const;

private:
    using Handle = std::unique_ptr<CURL, CurlCloser>;
    Handle take();
    void give_back(Handle);
    CurlList headers_of(const Question&) const;  // with the signature

    const Options& options_;
    std::string scheme_, host_;
    std::mutex mutex_;
    std::vector<Handle> idle_;
};

}  // namespace net::s3
