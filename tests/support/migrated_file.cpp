// SPDX-License-Identifier: AGPL-3.0-or-later
#include "support/database.hpp"

namespace support {
namespace {

struct Model {
    std::filesystem::path folder = std::filesystem::temp_directory_path() / fresh_name(),
                          file = folder / "migrated.db";

    Model() {
        std::filesystem::create_directories(folder);
        db::Options there;
        there.sqlite_file = file;
        db::migrate(*db::open_connection(there, db::Mode::write), {1000});
    }
    ~Model() {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    Model(const Model&) = delete;
};

}  // namespace

const std::filesystem::path& migrated_file() {
    static const Model of_this_process;
    return of_this_process.file;
}

}  // namespace support
