// SPDX-License-Identifier: AGPL-3.0-or-later
// usage: dunlin-signatures-check FILE...
// Judges every signature in files of the form of the shared vectors and prints a line of JSON for each. Fails when
// one is judged otherwise than its file expects, or cannot be judged.
#include "ap/signatures/signature_cases.hpp"

#include <boost/json.hpp>

#include <cstdio>
#include <exception>

namespace {

void print(const boost::json::object& line) { std::puts(boost::json::serialize(line).c_str()); }

bool check(const char* path) {
    bool good = true;
    try {
        for (const auto& one : cases::judge(cases::read_file(path))) {
            boost::json::object line{
                {"file", path}, {"case", one.name}, {"expected", one.expected}, {"verdict", one.verdict}
            };
            if (!one.reason.empty()) line["reason"] = one.reason;
            line["ok"] = one.ok;
            print(line);
            good = good && one.ok;
        }
    } catch (const std::exception& e) {
        print({{"file", path}, {"verdict", "error"}, {"reason", e.what()}, {"ok", false}});
        return false;
    }
    return good;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::fputs("usage: dunlin-signatures-check FILE...\n", stderr);
        return 2;
    }
    bool good = true;
    for (int i = 1; i < count; ++i) good = check(arguments[i]) && good;
    return good ? 0 : 1;
}
