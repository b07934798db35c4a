// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/request_parser.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "net/chunked.hpp"
#include "net/host.hpp"

namespace net {

namespace beast = boost::beast;
using beast::http::field;
using beast::http::verb;
using Text = beast::string_view;
using ErrorCode = beast::error_code;

namespace {

constexpr Refusal malformed{400, "The request could not be understood"};
constexpr Refusal bad_host{400, "The Host header is missing or invalid"};
constexpr Refusal bad_length{400, "The length of the request body is ambiguous"};
constexpr Refusal head_too_large{431, "The request headers are too large"};
constexpr Refusal unknown_expectation{417, "The expectation cannot be met"};
constexpr Refusal unknown_method{501, "The method is not supported"};

constexpr std::size_t most_headers = 128;

std::optional<http::Method> known_method(verb method) {
    switch (method) {
        case verb::get: return http::Method::get;
        case verb::head: return http::Method::head;
        case verb::post: return http::Method::post;
        case verb::put: return http::Method::put;
        case verb::patch: return http::Method::patch;
        case verb::delete_: return http::Method::delete_;
        case verb::options: return http::Method::options;
        default: return std::nullopt;
    }
}

std::string_view view(Text text) { return {text.data(), text.size()}; }

// Other servers may read a list, a sign, a space or an empty value differently.
bool is_plain_number(Text value) {
    return !value.empty() && value.size() <= 18 &&
           std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

class RequestParser::Reader final : public beast::http::basic_parser<true> {
public:
    explicit Reader(std::size_t limit) : head_limit_(limit) {
        header_limit(std::numeric_limits<std::uint32_t>::max());  // read_head checks it
        body_limit(boost::none);                                  // the body is never passed to Beast
    }

    Step read_head(std::string_view bytes);
    BodyStep read_body(std::string_view bytes);

    http::Request request;
    Refusal refusal;
    bool http_1_0 = false;
    bool expects_continue = false;
    bool has_body() const { return chunked_ || length_.value_or(0) > 0; }
    std::optional<std::uint64_t> declared_length() const { return length_; }

private:
    Step find_head_end(std::string_view bytes);
    Progress more_of(std::string_view bytes);
    Progress parse_head(std::string_view head);
    Progress settle_target_and_host();
    void read_field(field, Text value);

    Progress refuse(Refusal why) {
        if (refusal.status == 0) refusal = why;
        return Progress::refused;
    }
    void refuse(Refusal why, ErrorCode& error) {
        refuse(why);
        error = beast::http::error::bad_value;
    }
    BodyStep read_chunks(std::string_view bytes);

    void on_request_impl(verb method, Text, Text target, int version, ErrorCode& error) override {
        const auto known = known_method(method);
        if (!known) return refuse(unknown_method, error);
        request.method = *known;
        request.target = view(target);
        http_1_0 = version == 10;
    }
    void on_field_impl(field name, Text name_text, Text value, ErrorCode& error) override {
        read_field(name, value);
        if (refusal.status != 0) return refuse(refusal, error);
        request.headers.emplace_back(view(name_text), view(value));
    }
    std::size_t on_body_impl(Text, ErrorCode&) override { return 0; }
    std::size_t on_chunk_body_impl(std::uint64_t, Text, ErrorCode&) override { return 0; }
    void on_response_impl(int, Text, int, ErrorCode&) override {}
    void on_header_impl(ErrorCode&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
    void on_chunk_header_impl(std::uint64_t, Text, ErrorCode&) override {}
    void on_finish_impl(ErrorCode&) override {}

    std::size_t head_limit_;
    std::size_t scanned_ = 0;
    bool forgave_empty_line_ = false;
    bool chunked_ = false;
    ChunkedBody chunks_;
    std::optional<std::uint64_t> length_;
    std::uint64_t seen_ = 0;  // bytes of the length
    std::optional<std::size_t> host_at_;
};

void RequestParser::Reader::read_field(field name, Text value) {
    switch (name) {
        case field::host:
            if (host_at_) refuse(bad_host);
            host_at_ = request.headers.size();
            break;
        case field::content_length:
            if (length_ || chunked_ || !is_plain_number(value)) {
                refuse(bad_length);
                break;
            }
            length_ = std::stoull(std::string(view(value)));
            break;
        case field::transfer_encoding:
            if (length_ || chunked_ || http_1_0 || !beast::iequals(value, "chunked")) refuse(bad_length);
            chunked_ = true;
            break;
        case field::expect:
            expects_continue = !http_1_0;
            if (!beast::iequals(value, "100-continue")) refuse(unknown_expectation);
            break;
        default: break;
    }
}

// Looks for the empty line, and on the way refuses what Beast would accept.
RequestParser::Step RequestParser::Reader::find_head_end(std::string_view bytes) {
    for (;;) {
        const auto line_feed = bytes.find('\n', scanned_);
        if (line_feed == bytes.npos) break;
        if (line_feed == 0 || bytes[line_feed - 1] != '\r') return {refuse(malformed), 0};
        scanned_ = line_feed;
        const auto next = bytes.substr(line_feed + 1, 2);
        if (next.starts_with(' ') || next.starts_with('\t')) return {refuse(malformed), 0};
        if (next.empty() || next == "\r") return {more_of(bytes), 0};
        if (next == "\r\n") {
            const auto end = line_feed + 3;
            return end > head_limit_ ? Step{refuse(head_too_large), 0} : Step{Progress::done, end};
        }
        scanned_ = line_feed + 1;
    }
    scanned_ = bytes.size();
    return {more_of(bytes), 0};
}

Progress RequestParser::Reader::more_of(std::string_view bytes) {
    return bytes.size() > head_limit_ ? refuse(head_too_large) : Progress::more;
}

RequestParser::Step RequestParser::Reader::read_head(std::string_view bytes) {
    std::size_t used = 0;
    if (scanned_ == 0 && !forgave_empty_line_) {  // one empty line is allowed (RFC 9112, 2.2)
        if (bytes == "\r") return {Progress::more, 0};
        if (bytes.starts_with("\r\n")) {
            forgave_empty_line_ = true;
            used = 2;
        }
    }
    const auto head = find_head_end(bytes.substr(used));
    if (head.progress != Progress::done) return {head.progress, used};
    return {parse_head(bytes.substr(used, head.used)), used + head.used};
}

Progress RequestParser::Reader::parse_head(std::string_view head) {
    request.headers.reserve(12);
    ErrorCode error;
    const auto used = put({head.data(), head.size()}, error);
    if (error || used != head.size() || !is_header_done()) return refuse(malformed);
    if (request.headers.size() > most_headers) return refuse(head_too_large);
    return settle_target_and_host();
}

Progress RequestParser::Reader::settle_target_and_host() {
    auto& target = request.target;
    if (auto absolute = split_absolute(target)) {  // overrides Host (RFC 9112, 3.2.2)
        if (!host_at_) {
            if (!http_1_0) return refuse(bad_host);
            host_at_ = request.headers.size();
            request.headers.emplace_back("Host", "");
        }
        request.headers[*host_at_].second = std::move(absolute->authority);
        target = std::move(absolute->target);
    }
    const bool whole_server = target == "*" && request.method == http::Method::options;
    if (!whole_server && (!target.starts_with('/') || target.find('#') != target.npos))
        return refuse(malformed);
    if (!host_at_) return http_1_0 ? Progress::done : refuse(bad_host);
    return is_host(request.headers[*host_at_].second) ? Progress::done : refuse(bad_host);
}

RequestParser::BodyStep RequestParser::Reader::read_body(std::string_view bytes) {
    if (chunked_) return read_chunks(bytes);
    const auto left = length_.value_or(0) - seen_;
    const auto part = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size())));
    seen_ += part.size();
    return {{part.size() == left ? Progress::done : Progress::more, part.size()}, part};
}

RequestParser::BodyStep RequestParser::Reader::read_chunks(std::string_view bytes) {
    for (std::size_t used = 0;;) {
        const auto step = chunks_.read(bytes.substr(used));
        used += step.used;
        switch (step.found) {
            case ChunkedBody::Found::data:
                if (!step.data.empty()) return {{Progress::more, used}, step.data};
                break;
            case ChunkedBody::Found::more: return {{Progress::more, used}, {}};
            case ChunkedBody::Found::end: return {{Progress::done, used}, {}};
            case ChunkedBody::Found::bad: return {{refuse(malformed), used}, {}};
        }
    }
}

RequestParser::RequestParser(std::size_t head_limit) : reader_(std::make_unique<Reader>(head_limit)) {}
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;
RequestParser::~RequestParser() = default;

RequestParser::Step RequestParser::read_head(std::string_view bytes) { return reader_->read_head(bytes); }
RequestParser::BodyStep RequestParser::read_body(std::string_view bytes) { return reader_->read_body(bytes); }
Refusal RequestParser::refusal() const { return reader_->refusal; }
const http::Request& RequestParser::request() const { return reader_->request; }
http::Request RequestParser::take() { return std::exchange(reader_->request, {}); }
std::optional<std::uint64_t> RequestParser::declared_length() const { return reader_->declared_length(); }
bool RequestParser::has_body() const { return reader_->has_body(); }
bool RequestParser::keep_alive() const { return reader_->keep_alive(); }
bool RequestParser::http_1_0() const { return reader_->http_1_0; }
bool RequestParser::expects_continue() const { return reader_->expects_continue; }

}  // namespace net
