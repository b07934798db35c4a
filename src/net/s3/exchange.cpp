// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/s3/exchange.hpp"

#include "base/deadline.hpp"
#include "base/hash/digest.hpp"
#include "base/text/utf8.hpp"
#include "net/fd.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace net::s3 {

namespace {

constexpr std::size_t most_text = 1 << 20, idle_handles = 16;

// What libcurl's callbacks work on.
struct Course {
    const Question& question;
    const std::stop_token& stop;
    Fd file;
    std::uint64_t sent = 0;
    Answered answer;
    base::Digest digest;
    bool disk_failed = false;
};

Course& course(void* self) { return *static_cast<Course*>(self); }

std::size_t send_some(char* to, std::size_t size, std::size_t count, void* self) {
    auto& c = course(self);
    const auto& q = c.question;
    if (q.file.empty()) {
        const auto some = std::min<std::uint64_t>(size * count, q.body.size() - c.sent);
        std::memcpy(to, q.body.data() + c.sent, some);
        c.sent += some;
        return some;
    }
    const auto room = std::min<std::uint64_t>(size * count, q.length - c.sent);
    const auto some = ::pread(c.file.get(), to, room, static_cast<off_t>(q.offset + c.sent));
    if (some < 0) return CURL_READFUNC_ABORT;
    c.sent += static_cast<std::uint64_t>(some);
    return static_cast<std::size_t>(some);
}

int send_again(void* self, curl_off_t offset, int origin) {
    if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
    course(self).sent = static_cast<std::uint64_t>(offset);
    return CURL_SEEKFUNC_OK;
}

std::size_t read_header(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& c = course(self);
    std::string_view line(bytes, size * count);
    if (line.starts_with("HTTP/")) {
        c.answer.headers.clear();
        const auto space = line.find(' ');
        c.answer.status = space == line.npos ? 0 : std::atoi(std::string(line.substr(space)).c_str());
    }
    const auto colon = line.find(':');
    if (colon == line.npos || c.answer.headers.size() > 100) return size * count;
    auto name = base::text::ascii_lowered(line.substr(0, colon));
    auto value = line.substr(colon + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
    while (!value.empty() && static_cast<unsigned char>(value.back()) <= ' ') value.remove_suffix(1);
    c.answer.headers.emplace_back(std::move(name), value);
    return size * count;
}

std::size_t read_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    auto& c = course(self);
    std::string_view some(bytes, size * count);
    if (c.question.into < 0 || c.answer.status != 200) {
        c.answer.body += some.substr(0, most_text - std::min(most_text, c.answer.body.size()));
        return size * count;
    }
    c.digest.add(some);
    while (!some.empty()) {
        const auto written = ::write(c.question.into, some.data(), some.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            c.disk_failed = true;
            return 0;
        }
        some.remove_prefix(static_cast<std::size_t>(written));
    }
    return size * count;
}

int go_on(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return course(self).stop.stop_requested() || base::Within::over() ? 1 : 0;
}

// A slow line gets through with 64 KB a second.
std::chrono::milliseconds patience(const Question& q) {
    const auto bytes = std::max<std::uint64_t>(q.expected, q.file.empty() ? q.body.size() : q.length);
    const auto longest = std::chrono::milliseconds(60'000 + bytes / 64);
    if (base::Within::deadline() == base::no_deadline) return longest;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        base::Within::deadline() - std::chrono::steady_clock::now()
    );
    return std::clamp(left, std::chrono::milliseconds(1), longest);
}

CurlList header_list(const Pairs& headers) {
    CurlList list;
    auto add = [&](const std::string& line) { list.reset(curl_slist_append(list.release(), line.c_str())); };
    bool typed = false;
    for (const auto& [name, value] : headers) {
        add(name + ": " + value);
        typed = typed || name == "content-type";
    }
    add("Expect:");
    if (!typed) add("Content-Type:");
    return list;
}

Fd opened(const std::filesystem::path& file) {
    Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd)
        throw std::filesystem::filesystem_error(
            "open", file, std::error_code(errno, std::generic_category())
        );
    return fd;
}

template <class T>
void set_option(CURL* handle, CURLoption option, T value) {
    curl_easy_setopt(handle, option, value);
}

void set_connection(CURL* handle, const Options& options) {
    set_option(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    set_option(handle, CURLOPT_PROXY, "");
    set_option(handle, CURLOPT_PATH_AS_IS, 1L);
    set_option(handle, CURLOPT_NOSIGNAL, 1L);
    set_option(handle, CURLOPT_QUICK_EXIT, 1L);
    set_option(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set_option(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options.extra_ca_file.empty()) set_option(handle, CURLOPT_CAINFO, options.extra_ca_file.c_str());
}

void set_patience(CURL* handle, const Options& options, const Question& question) {
    set_option(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect.count()));
    set_option(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(patience(question).count()));
    set_option(handle, CURLOPT_LOW_SPEED_LIMIT, 100L);
    // A bucket puts the parts of a large file together before it says a word.
    const auto silence = question.method == "POST" ? options.silence * 4 : options.silence;
    set_option(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(silence.count()));
}

void set_callbacks(CURL* handle, Course& c) {
    const auto self = static_cast<void*>(&c);
    set_option(handle, CURLOPT_NOPROGRESS, 0L);
    set_option(handle, CURLOPT_XFERINFOFUNCTION, go_on);
    set_option(handle, CURLOPT_XFERINFODATA, self);
    set_option(handle, CURLOPT_HEADERFUNCTION, read_header);
    set_option(handle, CURLOPT_HEADERDATA, self);
    set_option(handle, CURLOPT_WRITEFUNCTION, read_body);
    set_option(handle, CURLOPT_WRITEDATA, self);
}

void set_method(CURL* handle, Course& c) {
    const auto& question = c.question;
    const auto self = static_cast<void*>(&c);
    if (question.method == "HEAD") set_option(handle, CURLOPT_NOBODY, 1L);
    else if (question.method == "PUT") {
        set_option(handle, CURLOPT_UPLOAD, 1L);
        set_option(handle, CURLOPT_READFUNCTION, send_some);
        set_option(handle, CURLOPT_READDATA, self);
        set_option(handle, CURLOPT_SEEKFUNCTION, send_again);
        set_option(handle, CURLOPT_SEEKDATA, self);
        const auto size = question.file.empty() ? question.body.size() : question.length;
        set_option(handle, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(size));
    } else if (question.method == "POST") {
        set_option(handle, CURLOPT_POSTFIELDS, question.body.data());
        set_option(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(question.body.size()));
    } else if (question.method != "GET") {
        set_option(handle, CURLOPT_CUSTOMREQUEST, question.method.c_str());
    }
}

}  // namespace

std::string_view Answered::header(std::string_view name) const {
    for (const auto& [one, value] : headers)
        if (one == name) return value;
    return {};
}

std::string element(std::string_view xml, std::string_view name, std::size_t from) {
    const auto open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
    const auto begin = xml.find(open, from);
    if (begin == xml.npos) return {};
    const auto end = xml.find(close, begin);
    if (end == xml.npos) return {};
    std::string text(xml.substr(begin + open.size(), end - begin - open.size()));
    constexpr std::pair<const char*, const char*> escapes[] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}
    };
    for (const auto& [written, meant] : escapes)
        for (std::size_t at = 0; (at = text.find(written, at)) != text.npos; ++at)
            text.replace(at, std::strlen(written), meant);
    return text;
}

Exchange::Exchange(const Options& options) : options_(options) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    const auto target = read_target(options.endpoint);
    if (!target) throw Failure(Trouble::other, "the address " + options.endpoint + " is not understood");
    scheme_ = target->scheme;
    const bool usual = target->port == (scheme_ == "https" ? "443" : "80");
    host_ =
        (options.path_style ? "" : options.bucket + ".") + target->host + (usual ? "" : ":" + target->port);
}

std::string Exchange::path(const std::string& key) const {
    return "/" + (options_.path_style ? options_.bucket + (key.empty() ? "" : "/") : "") + key;
}

std::string Exchange::address(const std::string& key) const {
    return scheme_ + "://" + host_ + encoded_path(path(key));
}

Exchange::Handle Exchange::take() {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return Handle(curl_easy_init());
    auto handle = std::move(idle_.back());
    idle_.pop_back();
    return handle;
}

void Exchange::give_back(Handle handle) {
    curl_easy_reset(handle.get());
    std::lock_guard lock(mutex_);
    if (idle_.size() < idle_handles) idle_.push_back(std::move(handle));
}

CurlList Exchange::headers_of(const Question& question) const {
    auto headers = question.headers;
    auto more = signed_headers(
        {question.method,
         host_,
         path(question.key),
         question.query,
         headers,
         question.payload,
         options_.clock()},
        options_.keys
    );
    headers.insert(headers.end(), more.begin(), more.end());
    return header_list(headers);
}

Answered Exchange::ask(const Question& question) {
    auto handle = take();
    if (!handle) throw Failure(Trouble::away, "libcurl has no memory");
    Course c{question, options_.stop, {}, 0, {}, {}};
    if (!question.file.empty()) c.file = opened(question.file);
    const auto headers = headers_of(question);
    const auto query = encoded_query(question.query);
    const auto url = address(question.key) + (query.empty() ? "" : "?" + query);
    set_option(handle.get(), CURLOPT_URL, url.c_str());
    set_option(handle.get(), CURLOPT_HTTPHEADER, headers.get());
    set_connection(handle.get(), options_);
    set_patience(handle.get(), options_, question);
    set_callbacks(handle.get(), c);
    set_method(handle.get(), c);
    const auto code = curl_easy_perform(handle.get());
    if (options_.stop.stop_requested()) throw base::Stopping();
    if (base::Within::over()) throw base::TimedOut();
    if (c.disk_failed)
        throw std::system_error(ENOSPC, std::generic_category(), "a file of the bucket cannot be kept here");
    if (code != CURLE_OK)
        throw Failure(
            Trouble::away, scheme_ + "://" + host_ + " does not answer (" + curl_easy_strerror(code) + ")"
        );
    give_back(std::move(handle));
    if (question.into >= 0) c.answer.sha256 = c.digest.hex();
    return std::move(c.answer);
}

}  // namespace net::s3
