// SPDX-License-Identifier: AGPL-3.0-or-later
// Runs tests/support/s3_server.py, which verifies its requests, while this object lives.
#pragma once
#include "net/client/http_client.hpp"
#include "net/s3/client.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

class S3Server {
public:
    S3Server() {
        int ends[2];
        if (::pipe(ends) != 0) return;
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        ::posix_spawn_file_actions_addclose(&actions, ends[0]);
        std::string program = DUNLIN_SOURCE_DIR "/tests/support/s3_server.py", objects = folder / "objects";
        std::string interpreter = "/usr/bin/python3";
        char* words[] = {interpreter.data(), program.data(), objects.data(), nullptr};
        ::posix_spawn(&pid_, interpreter.c_str(), &actions, nullptr, words, environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        char text[16] = "";
        if (::read(ends[0], text, sizeof text - 1) > 0) port = std::atoi(text);
        ::close(ends[0]);
    }
    ~S3Server() {
        stop();
        std::filesystem::remove_all(folder);
    }
    S3Server(const S3Server&) = delete;

    void stop() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = 0;
    }

    net::s3::Options options() const {
        net::s3::Options out;
        out.endpoint = "http://127.0.0.1:" + std::to_string(port);
        out.bucket = "pictures";
        out.keys = {"eu-test-1", "AKIAEXAMPLE", "a/secret+key"};
        out.clock = [] { return base::Time{std::int64_t{::time(nullptr)} * 1000}; };
        out.first_pause = std::chrono::milliseconds(5);
        return out;
    }

    void faults(const std::string& json) const { ask("/_faults", json); }
    std::string seen() const { return ask("/_seen", {}); }

    std::filesystem::path file(const std::string& name, const std::string& content) const {
        std::ofstream(folder / name, std::ios::binary) << content;
        return folder / name;
    }
    static std::string contents(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::filesystem::path folder = [] {
        std::string name = std::filesystem::temp_directory_path() / "dunlin-s3-XXXXXX";
        return std::filesystem::path(::mkdtemp(name.data()));
    }();
    int port = 0;

private:
    std::string ask(const std::string& path, const std::string& body) const {
        net::HttpClientOptions given;
        given.plain_http = true;
        base::Fetch question;
        question.url = "http://127.0.0.1:" + std::to_string(port) + path;
        question.trusted = question.plain_http = true;
        question.post = !body.empty();
        question.body = body;
        return net::HttpClient(given).fetch(question).body;
    }

    pid_t pid_ = 0;
};
