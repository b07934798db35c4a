// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/s3/client.hpp"

#include "base/crypto.hpp"
#include "base/deadline.hpp"
#include "net/fd.hpp"
#include "net/s3/exchange.hpp"
#include "net/s3/signing.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>

namespace net::s3 {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* digest_header = "x-amz-meta-sha256";

std::uint64_t number(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

Object object_of(const std::string& key, const Answered& answer) {
    const auto changed = base::parse_http_date(answer.header("last-modified"));
    return {
        key,
        number(answer.header("content-length")),
        changed.value_or(base::Time{}),
        std::string(answer.header(digest_header))
    };
}

// Errors after which another attempt may succeed.
bool passes(int status, std::string_view code) {
    return status == 429 || status == 500 || status == 502 || status == 503 || status == 504 ||
           code == "RequestTimeout" || code == "InternalError" || code == "SlowDown";
}

// Copying and completing an upload may fail after a status of 200.
std::string code_of(const Answered& answer) {
    const auto error = answer.body.find("<Error>");
    return error == std::string::npos ? "" : element(answer.body, "Code", error);
}

}  // namespace

struct Client::Impl {
    explicit Impl(Options given) : options(std::move(given)), exchange(options) {}

    Answered ask(const Question&);
    Answered good(const Question&);  // throws unless it succeeded or there is no such object
    Failure failure(const Answered&, const std::string& code) const;
    void pause(int tried);
    void put_in_parts(const std::string& key, const fs::path&, std::uint64_t bytes, Pairs headers);
    std::optional<Object> get(const std::string& key, int into);

    std::string key(const std::string& name) const { return options.prefix + name; }

    const Options options;
    Exchange exchange;
    std::atomic<std::uint64_t> requests{0}, failures{0}, retries{0}, sent{0}, received{0}, microseconds{0};
    // Set when all attempts have failed: later requests are tried only once, so that an outage does not make
    // everyone wait.
    std::atomic<bool> away{false};
};

void Client::Impl::pause(int tried) {
    auto pause = options.first_pause;
    for (int i = 1; i < tried; ++i) pause *= 3;
    // Jitter: requests that failed together are not retried together.
    const auto part = static_cast<unsigned char>(base::random_bytes(1)[0]);
    pause = pause / 2 + pause * part / 256;
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    const auto until = std::min(std::chrono::steady_clock::now() + pause, base::Within::deadline());
    stopped.wait_until(lock, options.stop, until, [] { return false; });
    if (options.stop.stop_requested()) throw base::Stopping();
    if (base::Within::over()) throw base::TimedOut();
}

Answered Client::Impl::ask(const Question& question) {
    const int most = away ? 1 : options.tries;
    for (int tried = 1;; ++tried) {
        ++requests;
        const auto begun = std::chrono::steady_clock::now();
        auto note = [&] {
            const auto took = std::chrono::steady_clock::now() - begun;
            microseconds +=
                static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count()
                );
        };
        try {
            if (question.into >= 0 &&
                (::lseek(question.into, 0, SEEK_SET) != 0 || ::ftruncate(question.into, 0) != 0))
                throw std::system_error(
                    errno, std::generic_category(), "a file of the bucket cannot be kept here"
                );
            auto answer = exchange.ask(question);
            note();
            const auto code = code_of(answer);
            if (!passes(answer.status, code)) {
                const auto told = answer.header(digest_header);
                if (question.into >= 0 && answer.status == 200 && !told.empty() && told != answer.sha256)
                    throw Failure(
                        Trouble::damaged, "what came of " + question.key + " is not what was put there"
                    );
                away = false;
                sent += question.file.empty() ? question.body.size() : question.length;
                if (question.into >= 0) received += number(answer.header("content-length"));
                return answer;
            }
            throw Failure(
                Trouble::busy,
                "it cannot do its work now (" +
                    (code.empty() ? "status " + std::to_string(answer.status) : code) + ")"
            );
        } catch (const Failure& e) {
            if (e.trouble == Trouble::away) note();
            ++failures;
            if (tried >= most) {
                away = e.trouble != Trouble::damaged;
                throw;
            }
        }
        ++retries;
        pause(tried);
    }
}

Failure Client::Impl::failure(const Answered& answer, const std::string& code) const {
    const auto named = "the bucket " + options.bucket;
    const auto said = " (" + (code.empty() ? "status " + std::to_string(answer.status) : code) + ")";
    if (code == "InvalidAccessKeyId") return {Trouble::key, "the access key is not known there" + said};
    if (code == "SignatureDoesNotMatch")
        return {Trouble::secret, "the secret key does not fit the access key" + said};
    if (code == "NoSuchBucket") return {Trouble::bucket, "there is no bucket " + options.bucket + said};
    if (code == "RequestTimeTooSkewed") {
        std::string by;
        if (const auto there = base::parse_http_date(answer.header("date")))
            by = " by " + std::to_string(std::abs((options.clock().ms - there->ms) / 1000)) + " seconds";
        return {Trouble::clock, "the clocks here and there differ" + by + said};
    }
    auto region = std::string(answer.header("x-amz-bucket-region"));
    if (region.empty()) region = element(answer.body, "Region");
    if (code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect" ||
        code == "TemporaryRedirect" || code == "IllegalLocationConstraintException" || answer.status == 301)
        return {
            Trouble::region,
            named + " is not in the region " + options.keys.region +
                (region.empty() ? "" : ", but in " + region) + said
        };
    if (answer.status == 403 || answer.status == 401)
        return {Trouble::denied, "the access key may not do this in " + named + said};
    if (answer.status == 404) return {Trouble::bucket, "there is no bucket " + options.bucket + said};
    return {Trouble::other, named + " refuses what was asked" + said};
}

Answered Client::Impl::good(const Question& question) {
    auto answer = ask(question);
    const auto code = code_of(answer);
    const bool done = answer.status >= 200 && answer.status < 300 && code.empty();
    const bool none =
        answer.status == 404 && (code == "NoSuchKey" || code == "NoSuchUpload" || question.method == "HEAD");
    if (done || none) return answer;
    ++failures;
    throw failure(answer, code);
}

Client::Client(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Client::~Client() = default;

void Client::put(const std::string& name, const fs::path& file, const Facts& facts) {
    const auto bytes = fs::file_size(file);
    const auto digest = sha256_of(file, 0, bytes);
    Pairs headers{{"content-type", facts.content_type}, {digest_header, digest}};
    if (!facts.cache_control.empty()) headers.emplace_back("cache-control", facts.cache_control);
    if (bytes > impl_->options.part_bytes)
        return impl_->put_in_parts(impl_->key(name), file, bytes, std::move(headers));
    Question question{"PUT", impl_->key(name), {}, std::move(headers)};
    question.payload = digest;
    if (bytes > 0) question.file = file;
    question.length = bytes;
    impl_->good(question);
}

void Client::put_bytes(const std::string& name, std::string bytes, const Facts& facts) {
    const auto digest = base::sha256_hex(bytes);
    Question question{
        "PUT", impl_->key(name), {}, {{"content-type", facts.content_type}, {digest_header, digest}}
    };
    question.payload = digest;
    question.body = std::move(bytes);
    impl_->good(question);
}

void Client::Impl::put_in_parts(
    const std::string& to, const fs::path& file, std::uint64_t bytes, Pairs headers
) {
    Question begin{"POST", to, {{"uploads", ""}}, std::move(headers)};
    begin.payload = of_nothing;
    const auto id = element(good(begin).body, "UploadId");
    if (id.empty()) throw Failure(Trouble::other, "the bucket begins no upload in parts");
    try {
        std::string parts;
        int number = 1;
        for (std::uint64_t at = 0; at < bytes; at += options.part_bytes, ++number) {
            Question part{"PUT", to, {{"partNumber", std::to_string(number)}, {"uploadId", id}}};
            part.file = file;
            part.offset = at;
            part.length = std::min(options.part_bytes, bytes - at);
            part.payload = sha256_of(file, at, part.length);
            const auto answer = good(part);
            parts += "<Part><PartNumber>" + std::to_string(number) + "</PartNumber><ETag>" +
                     std::string(answer.header("etag")) + "</ETag></Part>";
        }
        Question end{"POST", to, {{"uploadId", id}}, {{"content-type", "application/xml"}}};
        end.body = "<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>";
        end.payload = base::sha256_hex(end.body);
        const auto ended = good(end);
        if (ended.status != 404) return;
        // An earlier attempt may have completed it, and only its response was lost.
        Question look{"HEAD", to};
        look.payload = of_nothing;
        const auto there = good(look);
        if (there.status == 404 || s3::number(there.header("content-length")) != bytes)
            throw Failure(Trouble::other, "the bucket has lost the parts of " + to);
    } catch (...) {
        try {
            Question abort{"DELETE", to, {{"uploadId", id}}};
            abort.payload = of_nothing;
            exchange.ask(abort);
        } catch (const std::exception&) {}  // a rule of the bucket removes abandoned parts
        throw;
    }
}

std::optional<Object> Client::Impl::get(const std::string& name, int into) {
    Question question{"GET", key(name)};
    question.payload = of_nothing;
    question.into = into;
    question.expected = std::uint64_t{256} << 20;
    const auto answer = good(question);
    if (answer.status == 404) return std::nullopt;
    return object_of(name, answer);
}

std::optional<Object> Client::get(const std::string& name, const fs::path& to) {
    const Fd file(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file) throw fs::filesystem_error("open", to, std::error_code(errno, std::generic_category()));
    return impl_->get(name, file.get());
}

std::optional<std::string> Client::get_bytes(const std::string& name) {
    const Fd memory(::memfd_create("object", MFD_CLOEXEC));
    const auto failed = [] {
        return std::system_error(errno, std::generic_category(), "an object cannot be kept in memory");
    };
    if (!memory) throw failed();
    if (!impl_->get(name, memory.get())) return std::nullopt;
    const auto size = ::lseek(memory.get(), 0, SEEK_END);
    std::string bytes(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
    for (std::size_t at = 0; at < bytes.size();) {
        const auto some = ::pread(memory.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
        if (some <= 0) throw failed();
        at += static_cast<std::size_t>(some);
    }
    return bytes;
}

std::optional<Object> Client::head(const std::string& name) {
    Question question{"HEAD", impl_->key(name)};
    question.payload = of_nothing;
    const auto answer = impl_->good(question);
    if (answer.status == 404) return std::nullopt;
    return object_of(name, answer);
}

void Client::remove(const std::string& name) {
    Question question{"DELETE", impl_->key(name)};
    question.payload = of_nothing;
    impl_->good(question);
}

bool Client::copy(const std::string& from, const std::string& to) {
    Question question{"PUT", impl_->key(to), {}, {}};
    question.headers = {
        {"x-amz-copy-source", encoded_path("/" + impl_->options.bucket + "/" + impl_->key(from))}
    };
    question.payload = of_nothing;
    return impl_->good(question).status != 404;
}

std::vector<Object> Client::list(const std::string& begin, const std::string& after) {
    Question question{"GET", "", {{"list-type", "2"}}};
    // Some servers omit an empty parameter when they verify the signature.
    if (const auto prefix = impl_->key(begin); !prefix.empty()) question.query.emplace_back("prefix", prefix);
    if (!after.empty()) question.query.emplace_back("start-after", impl_->key(after));
    question.payload = of_nothing;
    const auto answer = impl_->good(question);
    if (answer.status == 404) throw impl_->failure(answer, code_of(answer));
    std::vector<Object> found;
    constexpr std::string_view entry = "<Contents>";
    for (auto at = answer.body.find(entry); at != std::string::npos; at = answer.body.find(entry, at + 1)) {
        Object one;
        const auto key = element(answer.body, "Key", at);
        if (!key.starts_with(impl_->options.prefix)) continue;
        one.key = key.substr(impl_->options.prefix.size());
        one.bytes = number(element(answer.body, "Size", at));
        one.changed = base::parse_time(element(answer.body, "LastModified", at)).value_or(base::Time{});
        found.push_back(std::move(one));
    }
    return found;
}

std::string Client::presigned(const std::string& name, base::Time at, int seconds) const {
    const auto& exchange = impl_->exchange;
    const auto key = impl_->key(name);
    const Unsigned asked{"GET", exchange.host(), exchange.path(key), {}, {}, {}, at};
    return exchange.address(key) + "?" + presigned_query(asked, impl_->options.keys, seconds);
}

Figures Client::figures() const {
    const auto& i = *impl_;
    return {i.requests, i.failures, i.retries, i.sent, i.received, std::chrono::microseconds(i.microseconds)};
}

}  // namespace net::s3
