// SPDX-License-Identifier: AGPL-3.0-or-later
#include "support/replica.hpp"

#include "db/postgres/progress.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace support {

namespace {

std::string output_of(const std::string& words) {
    const auto command = std::string(DUNLIN_SOURCE_DIR "/tests/support/replica ") + words;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) throw std::runtime_error("popen");
    std::string text;
    std::array<char, 256> bytes;
    while (const auto got = std::fread(bytes.data(), 1, bytes.size(), pipe)) text.append(bytes.data(), got);
    if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
    while (text.ends_with('\n')) text.pop_back();
    return text;
}

std::int64_t number_of(const std::string& url, const db::Query<std::int64_t>& sql) {
    db::Options there;
    there.postgres_url = url;
    const auto connection = db::open_connection(there, db::Mode::read);
    const auto rows = connection->query(sql, {});
    return rows->next() ? rows->integer(0) : 0;
}

}  // namespace

std::string with_host(std::string url, const std::string& host) {
    const auto at = url.find("host=") + 5;
    return url.replace(at, std::min(url.find('&', at), url.size()) - at, host);
}

Replica& Replica::here() {
    static Replica of_this_process;
    return of_this_process;
}

Replica::Replica() : folder_(output_of("make")) {}

Replica::~Replica() {
    try {
        output_of("remove " + folder_);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
}

std::string Replica::url(const std::string& of_primary) const { return with_host(of_primary, folder_); }

void Replica::script(const char* sql) const {
    db::Options there;
    there.postgres_url = url(postgres_url());
    db::open_connection(there, db::Mode::read)->script(sql);
}

void Replica::pause() { script("SELECT pg_wal_replay_pause()"); }

void Replica::resume() { script("SELECT pg_wal_replay_resume()"); }

void Replica::stop() { output_of("stop " + folder_); }

void Replica::start() { output_of("start " + folder_); }

void Replica::catch_up() {
    const auto wanted = db::end_of_last_change(number_of(postgres_url(), db::position_now));
    const auto there = url(postgres_url());
    auto has = [&] { return number_of(there, db::replayed_now); };
    if (soon([&] { return has() >= static_cast<std::int64_t>(wanted.value); })) return;
    std::ifstream log(folder_ + "/data/log");
    const std::string said(std::istreambuf_iterator<char>(log), {});
    throw std::runtime_error(
        "the replica does not catch up: it is at " + std::to_string(has()) + " of " +
        std::to_string(wanted.value) + "; it says\n" +
        said.substr(said.size() > 2000 ? said.size() - 2000 : 0)
    );
}

}  // namespace support
