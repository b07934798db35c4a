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
#include "base/text/host.hpp"
#include "base/text/utf8.hpp"
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

// An SMTP session, up to its commands. The options must outlive it.
class Conversation {
public:
    explicit Conversation(const SmtpOptions& options);

    template <class T>
    void set(CURLoption option, T value) {
        curl_easy_setopt(curl_.get(), option, value);
    }
    // Throws MailError, even if curl takes a rejection for success, and base::Stopping.
    void perform();

private:
    static int hear(CURL*, curl_infotype, char* text, std::size_t size, void* self);

    std::unique_ptr<CURL, Closer> curl_;
    char reason_[CURL_ERROR_SIZE] = "";
    // The verb of the last command, and the last line of its reply; nothing after our QUIT.
    std::string command_, answer_;
    bool over_ = false;
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
    set(CURLOPT_VERBOSE, 1L);
    set(CURLOPT_DEBUGFUNCTION, hear);
    set(CURLOPT_DEBUGDATA, static_cast<void*>(this));
}

// curl does not report which command was rejected, and with which words.
int Conversation::hear(CURL*, curl_infotype type, char* text, std::size_t size, void* self) {
    constexpr std::size_t longest_verb = 4, longest_answer = 300;
    auto& our = *static_cast<Conversation*>(self);
    const std::string_view line(text, size);
    if (type == CURLINFO_HEADER_OUT && !line.starts_with("QUIT")) {
        our.command_ = line.substr(0, longest_verb);
        our.answer_.clear();
        our.over_ = false;
    } else if (type == CURLINFO_HEADER_OUT) {
        our.over_ = true;
    } else if (type == CURLINFO_HEADER_IN && !our.over_) {
        our.answer_ = line.substr(0, longest_answer);
    }
    return 0;
}

MailStep step_of(std::string_view command) {
    if (command == "MAIL") return MailStep::sender;
    return command == "RCPT" || command == "DATA" ? MailStep::letter : MailStep::connecting;
}

// Many servers report only at the recipient that we must log in, that they do not relay for us, or that they
// reject the sender (RFC 3463: 5.7 is about policy, 5.1.7 and 5.1.8 about the sender).
bool is_for_good(std::string_view command, std::string_view answer) {
    if (!answer.starts_with('5') || answer.starts_with("530")) return false;
    const auto why = answer.substr(std::min<std::size_t>(answer.size(), 4));
    return command == "DATA" ||
           !(why.starts_with("5.7.") || why.starts_with("5.1.7") || why.starts_with("5.1.8"));
}

// In the form that curl sends.
std::string ascii_address(const std::string& address) {
    const auto at = address.rfind('@') + 1;
    const auto host = base::text::host_as_ascii(std::string_view(address).substr(at));
    return host ? address.substr(0, at) + *host : address;
}

void Conversation::perform() {
    const auto result = curl_easy_perform(curl_.get());
    if (result == CURLE_ABORTED_BY_CALLBACK) throw base::Stopping();
    // curl treats some rejections, such as 553, as success.
    const bool refused = answer_.starts_with('4') || answer_.starts_with('5');
    if (result == CURLE_OK && !refused) return;
    auto reason = std::string("SMTP: ") + (reason_[0] ? reason_ : curl_easy_strerror(result));
    const auto step = result == CURLE_LOGIN_DENIED ? MailStep::login
                      : !refused                   ? MailStep::connecting
                                                   : step_of(command_);
    if (refused) {
        auto words = base::text::clean_utf8(answer_);
        words.erase(words.find_last_not_of(" \n") + 1);
        reason += " (" + words + ")";
    }
    throw MailError(reason, step == MailStep::letter && is_for_good(command_, answer_), step);
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

    conversation.perform();
}

void greet(const SmtpOptions& options) {
    require_one_line(options.from);
    const auto sender = "MAIL FROM:<" + ascii_address(bare_address(options.from)) + ">";
    Conversation conversation(options);
    conversation.set(CURLOPT_NOBODY, 1L);
    for (const char* command : {sender.c_str(), "RSET"}) {
        conversation.set(CURLOPT_CUSTOMREQUEST, command);
        conversation.perform();
    }
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
