// SPDX-License-Identifier: AGPL-3.0-or-later
#include "cli/dialogue.hpp"

#include "cli/cli_context.hpp"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

namespace server {

namespace {

std::string next_line() {
    std::string line;
    if (!std::getline(std::cin, line)) throw Refused("\nNobody answers any more.");
    const auto first = line.find_first_not_of(" \t\r");
    if (first == line.npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// Turns the terminal's echo off, and on again in any case.
class Hidden {
public:
    Hidden() {
        ::tcgetattr(STDIN_FILENO, &before_);
        auto silent = before_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        before_handler_ = std::signal(SIGINT, show_again);
        ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    }
    ~Hidden() {
        ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
        std::signal(SIGINT, before_handler_);
    }
    Hidden(const Hidden&) = delete;

private:
    static void show_again(int signal) {
        ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
        std::signal(signal, SIG_DFL);
        ::raise(signal);
    }

    static inline termios before_{};
    void (*before_handler_)(int) = SIG_DFL;
};

}  // namespace

bool somebody_answers() { return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1; }

std::string ask(const std::string& question, const std::string& usual) {
    std::cout << question << (usual.empty() ? ": " : " [" + usual + "]: ") << std::flush;
    auto line = next_line();
    return line.empty() ? usual : line;
}

std::string ask_secret(const std::string& question) {
    std::string line;
    {
        const Hidden hidden;
        std::cout << question << ": " << std::flush;
        line = next_line();
    }
    std::cout << std::endl;
    return line;
}

bool asks_for(const std::string& question) {
    const auto answer = ask(question + " [y/N]", "");
    return answer == "y" || answer == "Y" || answer == "yes";
}

bool agreed(const std::string& question) {
    if (::isatty(STDIN_FILENO) != 1) {
        print_note("Nothing was changed: give --yes to have it done without a question.");
        return false;
    }
    const bool yes = asks_for(question);
    if (!yes) print("Nothing was changed.");
    return yes;
}

std::string choose(
    const std::string& question, const std::vector<std::string>& words, const std::string& usual
) {
    std::string offered;
    for (const auto& word : words) offered += (offered.empty() ? " (" : ", ") + word;
    for (;;) {
        const auto answer = ask(question + offered + ")", usual);
        if (std::ranges::count(words, answer) > 0) return answer;
        print("Write one of these words.");
    }
}

}  // namespace server
