// SPDX-License-Identifier: AGPL-3.0-or-later
// One question to a bucket and its answer, by libcurl. Private to net/s3.
#pragma once
#include "net/client/transfer.hpp"
#include "net/s3/client.hpp"

#include <mutex>

namespace net::s3 {

struct Question {
    std::string method, key;  // no key: the bucket itself
    Pairs query, headers;
    std::string body;
    // Instead of a body: a part of a file.
    std::filesystem::path file;
    std::uint64_t offset = 0, length = 0;
    std::string payload;         // SHA-256 of either, in hex
    int into = -1;               // where the body of a good answer goes; -1: into its text
    std::uint64_t expected = 0;  // bytes of the answer, for how long it may take
};

struct Answered {
    int status = 0;
    Pairs headers;
    std::string body;    // cut after a megabyte
    std::string sha256;  // of what went into the file
    std::string_view header(std::string_view name) const;
};

// What stands in such an element; empty without one.
std::string element(std::string_view xml, std::string_view name, std::size_t from = 0);

// Keeps connections for the next question.
class Exchange {
public:
    explicit Exchange(const Options&);
    Answered ask(const Question&);                      // throws Failure when there is no answer
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
