// SPDX-License-Identifier: AGPL-3.0-or-later
// Prepares one request for libcurl, including the check of every socket before it connects. The only place
// for both: http_exchange.cpp performs one transfer, sender.cpp many concurrently.
#pragma once
#include "net/client/http_exchange.hpp"

#include <curl/curl.h>

namespace net {

// Deleters for libcurl's handles, lists and strings.
struct CurlCloser {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
    void operator()(char* text) const { curl_free(text); }
};
using CurlList = std::unique_ptr<curl_slist, CurlCloser>;

// Whether connections may be reused for later transfers and multiplexed.
enum class Connections { fresh, kept };

class Transfer {
public:
    // The options must outlive it.
    Transfer(
        base::Fetch, const HttpClientOptions&, const NetworkSet& allowed, std::chrono::milliseconds left,
        Connections
    );
    Transfer(const Transfer&) = delete;

    CURL* handle() const { return curl_.get(); }  // null: libcurl is out of memory
    const base::Fetch& asked() const { return asked_; }
    Hop finish(CURLcode);  // call after the transfer

private:
    void set_up(const HttpClientOptions&, std::chrono::milliseconds left, Connections);
    bool may_connect(const sockaddr&) const;
    base::FetchFailure failure_of(CURLcode) const;

    static int go_on(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
    static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr*);
    static std::size_t read_header(char* bytes, std::size_t size, std::size_t count, void* self);
    static std::size_t read_body(char* bytes, std::size_t size, std::size_t count, void* self);

    base::Fetch asked_;
    const NetworkSet& allowed_;
    base::Fetched answer_;
    std::size_t header_bytes_ = 0;
    std::stop_token stop_;
    bool refused_address_ = false, too_large_ = false, cut_ = false;
    int tries_v4_ = 0, tries_v6_ = 0;
    CurlList headers_, connect_to_;
    std::unique_ptr<CURL, CurlCloser> curl_;  // last: it points to the other members
};

}  // namespace net
