// SPDX-License-Identifier: AGPL-3.0-or-later
// Speaks just enough SMTP for one conversation, or for some.
#pragma once
#include <netinet/in.h>
#include <sys/socket.h>

#include <string>
#include <thread>

#include "net/fd.hpp"
#include "net/mail.hpp"

namespace net_test {

struct SmtpServer {
    struct Answers {
        std::string recipient = "250 ok", login = "235 welcome";
        std::string greeting = "220 hello", hello = "250-hello\r\n250 AUTH PLAIN", sender = "250 ok";
        std::string data = "354 go on", text = "250 taken";
        int conversations = 1;
    };
    SmtpServer() : SmtpServer(Answers{}) {}
    explicit SmtpServer(Answers answers) : answers_(std::move(answers)) {
        sockaddr_in at{};
        at.sin_family = AF_INET;
        at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof at;
        ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&at), size);
        ::listen(listener_.get(), 1);
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at), &size);
        port = ntohs(at.sin_port);
        thread_ = std::thread([this] {
            for (int i = 0; i < answers_.conversations && talk(); ++i) continue;
        });
    }
    ~SmtpServer() {
        ::shutdown(listener_.get(), SHUT_RDWR);
        join();
    }
    void join() {
        if (thread_.joinable()) thread_.join();
    }
    net::SmtpOptions options() const {
        net::SmtpOptions options;
        options.host = "127.0.0.1";
        options.port = port;
        options.tls = net::SmtpOptions::Tls::none;
        options.from = "Dünlin <noreply@a.example>";
        return options;
    }
    std::string url() const { return "smtp+insecure://127.0.0.1:" + std::to_string(port); }

    std::uint16_t port = 0;
    std::string commands, letter;

private:
    std::string answer_to(const std::string& line) const {
        if (line == "DATA\r\n") return answers_.data;
        if (line.starts_with("MAIL")) return answers_.sender;
        if (line.starts_with("RCPT")) return answers_.recipient;
        if (line == "AUTH PLAIN\r\n") return "334 ";  // name and password come in the next line
        return line.starts_with("EHLO") || line.starts_with("HELO") ? answers_.hello : "250 ok";
    }

    bool talk() {  // false: it ends
        net::Fd client(::accept(listener_.get(), nullptr, nullptr));
        if (!client) return false;
        const auto say = [&](const std::string& line) {
            const auto text = line + "\r\n";
            (void)!::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL);
        };
        say(answers_.greeting);
        std::string line;
        bool data = false, login = false;
        for (char c; ::recv(client.get(), &c, 1, 0) == 1;) {
            line += c;
            if (!line.ends_with("\r\n")) continue;
            if (data) {
                data = line != ".\r\n";
                if (data) letter += line;
                else say(answers_.text);
            } else {
                commands += line;
                data = line == "DATA\r\n" && answers_.data.starts_with('3');
                say(login ? answers_.login : answer_to(line));
                login = line == "AUTH PLAIN\r\n";
            }
            line.clear();
        }
        return true;
    }

    Answers answers_;
    net::Fd listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    std::thread thread_;
};

}  // namespace net_test
