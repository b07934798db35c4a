// SPDX-License-Identifier: AGPL-3.0-or-later
// The real server, started on a data folder of its own.
#pragma once
#include <curl/curl.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "server/program.hpp"

namespace server_test {

struct Answer {
    long status = 0;
    std::string body, headers;
};

struct Serve : Program {
    ~Serve() override {
        if (child > 0) stop(SIGKILL);
    }

    void start(const std::string& more = "") {
        for (auto name : {"out", "err"}) std::filesystem::remove(folder / name);  // what one before it said
        child = ::fork();
        if (child == 0) {
            std::filesystem::create_directories(folder);
            for (auto [name, fd] : {std::pair("out", 1), std::pair("err", 2)})
                ::dup2(::open((folder / name).c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), fd);
            auto line = "exec '" + program.string() + "' serve --data '" + data.string() +
                        "' --listen 127.0.0.1:0 --public-url http://dunlin.example " + more;
            if (takes_sockets) ::setenv("LISTEN_PID", std::to_string(::getpid()).c_str(), 1);
            ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
            ::_exit(127);
        }
        const std::string mark = "listening on ";
        for (int tries = 0; tries < 6000 && address.empty(); ++tries) {
            auto out = contents(folder / "out");
            auto at = out.find(mark);
            if (at != out.npos && out.find('\n', at) != out.npos)
                address = out.substr(at + mark.size(), out.find(',', at) - at - mark.size());
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ASSERT_NE(address, "") << contents(folder / "err");
    }

    int stop(int signal) {
        ::kill(child, signal);
        int status = 0;
        ::waitpid(std::exchange(child, 0), &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    Answer get(const std::string& path, const std::string& token = "") const {
        return ask(path, nullptr, token);
    }
    Answer send(const std::string& path, const std::string& form, const std::string& token) const {
        return ask(path, &form, token);
    }
    Answer remove(const std::string& path, const std::string& token) const {
        return ask(path, nullptr, token, "DELETE");
    }
    Answer ask(
        const std::string& path, const std::string* form, const std::string& token,
        const char* method = nullptr, const char* header = nullptr
    ) const {
        Answer answer;
        auto curl = ::curl_easy_init();
        auto append = +[](char* bytes, std::size_t size, std::size_t n, std::string* to) {
            to->append(bytes, size * n);
            return size * n;
        };
        curl_slist* headers = nullptr;
        if (!token.empty())
            headers = ::curl_slist_append(headers, ("Authorization: Bearer " + token).c_str());
        if (header) headers = ::curl_slist_append(headers, header);
        if (headers) ::curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        ::curl_easy_setopt(curl, CURLOPT_URL, ("http://" + address + path).c_str());
        ::curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
        ::curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer.body);
        ::curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, append);
        ::curl_easy_setopt(curl, CURLOPT_HEADERDATA, &answer.headers);
        ::curl_easy_setopt(curl, CURLOPT_TIMEOUT, 60L);
        if (!socket_path.empty()) ::curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, socket_path.c_str());
        if (method) ::curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
        if (form) ::curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, form->c_str());
        if (::curl_easy_perform(curl) == CURLE_OK)
            ::curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
        ::curl_slist_free_all(headers);
        ::curl_easy_cleanup(curl);
        return answer;
    }

    static unsigned mode_of(const std::filesystem::path& path) {
        struct stat facts{};
        return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777u : 0;
    }
    std::ptrdiff_t mails() const {
        return std::distance(std::filesystem::directory_iterator(data / "mail"), {});
    }

    pid_t child = 0;
    bool takes_sockets = false;  // from descriptor 3 on, as LISTEN_FDS says
    std::string address;
    std::string socket_path;  // where it is asked instead
};

}  // namespace server_test
