// SPDX-License-Identifier: AGPL-3.0-or-later
#include "net/mail.hpp"

#include <curl/curl.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>

#include "base/deadline.hpp"
#include "net/fd.hpp"

namespace net {

namespace {

struct Closer {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// Name <user@host> -> user@host
std::string bare_address(const std::string& who) {
    const auto open = who.rfind('<');
    const auto close = who.rfind('>');
    if (open == who.npos || close == who.npos || close < open) return who;
    return who.substr(open + 1, close - open - 1);
}

std::size_t read_text(char* to, std::size_t size, std::size_t count, void* from) {
    auto& rest = *static_cast<std::string_view*>(from);
    const auto taken = std::min(size * count, rest.size());
    std::memcpy(to, rest.data(), taken);
    rest.remove_prefix(taken);
    return taken;
}

int go_on(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// A conversation with a mail server, up to what is said in it. The options must outlive it.
class Conversation {
public:
    explicit Conversation(const SmtpOptions& options);

    template <class T>
    void set(CURLoption option, T value) {
        curl_easy_setopt(curl_.get(), option, value);
    }
    CURLcode perform() { return curl_easy_perform(curl_.get()); }
    std::string reason(CURLcode result) const {
        return std::string("SMTP: ") + (reason_[0] ? reason_ : curl_easy_strerror(result));
    }
    long code() const {
        long code = 0;
        curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &code);
        return code;
    }

private:
    std::unique_ptr<CURL, Closer> curl_;
    char reason_[CURL_ERROR_SIZE] = "";
};

Conversation::Conversation(const SmtpOptions& options) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    curl_.reset(curl_easy_init());
    if (!curl_) throw MailError("no memory for curl", false);
    const bool implicit = options.tls == SmtpOptions::Tls::implicit;
    const auto url = (implicit ? "smtps://" : "smtp://") + options.host + ":" + std::to_string(options.port);
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_PROTOCOLS_STR, implicit ? "smtps" : "smtp");
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_TIMEOUT, static_cast<long>(options.timeout.count()));
    set(CURLOPT_ERRORBUFFER, static_cast<char*>(reason_));
    set(CURLOPT_USE_SSL,
        static_cast<long>(options.tls == SmtpOptions::Tls::none ? CURLUSESSL_NONE : CURLUSESSL_ALL));
    set(CURLOPT_SSL_VERIFYPEER, options.verify_peer ? 1L : 0L);
    set(CURLOPT_SSL_VERIFYHOST, options.verify_peer ? 2L : 0L);
    if (!options.user.empty()) {
        set(CURLOPT_USERNAME, options.user.c_str());
        set(CURLOPT_PASSWORD, options.password.c_str());
    }
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, go_on);
    set(CURLOPT_XFERINFODATA, static_cast<const void*>(&options.stop));
}

}  // namespace

void send_mail(const SmtpOptions& options, const base::Mail& mail) {
    const auto text = mail_text(options.from, mail);
    const auto from = bare_address(options.from), to = bare_address(mail.to);
    std::string_view rest = text;

    Conversation conversation(options);
    std::unique_ptr<curl_slist, Closer> recipients(curl_slist_append(nullptr, to.c_str()));
    if (!recipients) throw MailError("no memory for curl", false);
    conversation.set(CURLOPT_MAIL_FROM, from.c_str());
    conversation.set(CURLOPT_MAIL_RCPT, recipients.get());
    conversation.set(CURLOPT_UPLOAD, 1L);
    conversation.set(CURLOPT_READFUNCTION, read_text);
    conversation.set(CURLOPT_READDATA, static_cast<void*>(&rest));

    const auto result = conversation.perform();
    if (result == CURLE_OK) return;
    if (result == CURLE_ABORTED_BY_CALLBACK) throw base::Stopping();
    // A refused log-in is a mistake in the configuration and not in the mail.
    const auto code = conversation.code();
    const bool permanent = code >= 500 && code < 600 && result != CURLE_LOGIN_DENIED;
    throw MailError(conversation.reason(result), permanent);
}

void greet(const SmtpOptions& options) {
    Conversation conversation(options);
    conversation.set(CURLOPT_CUSTOMREQUEST, "NOOP");
    conversation.set(CURLOPT_NOBODY, 1L);
    const auto result = conversation.perform();
    if (result == CURLE_OK) return;
    if (result == CURLE_ABORTED_BY_CALLBACK) throw base::Stopping();
    throw MailError(conversation.reason(result), result == CURLE_LOGIN_DENIED);
}

void write_mail(const std::filesystem::path& directory, const std::string& from, const base::Mail& mail) {
    const auto text = mail_text(from, mail);
    std::filesystem::create_directories(directory);
    auto name = (directory / "mail-XXXXXX").string();
    Fd file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file) fail(name);
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto written = ::write(file.get(), rest.data(), rest.size());
        if (written < 0) {
            const int why = errno;
            ::unlink(name.c_str());
            errno = why;
            fail(name);
        }
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    std::filesystem::rename(name, name + ".eml");
}

}  // namespace net
