// SPDX-License-Identifier: AGPL-3.0-or-later
// Zip files for tests, and a folder of media.
#pragma once
#include "base/crypto.hpp"
#include "jobs/sessions.hpp"
#include "social/media/media.hpp"
#include "world.hpp"

#include <zip.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace zipped {

namespace fs = std::filesystem;

struct Folder {
    Folder() : path(fs::temp_directory_path() / ("dunlin-" + base::hex(base::random_bytes(8)))) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

inline jobs::Sessions sessions(World& w) {
    jobs::Sessions out;
    out.look = [&w](const auto& f) { w.read([&](db::Read& db) { f(db); }); };
    out.change = [&w](const char*, const auto& f) { w.write([&](db::Write& db) { f(db); }); };
    return out;
}

// By their names.
struct Files : std::map<std::string, std::string> {
    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& [name, content] : *this) out.push_back(name);
        return out;
    }
    // A member of a file of JSON, as Answer has it.
    std::string operator()(const std::string& name, const std::string& way) const {
        Answer answer;
        answer.body = at(name);
        return answer[way];
    }
};

inline Files read(const fs::path& file) {
    Files out;
    auto* archive = zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
    if (!archive) return out;
    for (zip_int64_t i = 0; i < zip_get_num_entries(archive, 0); ++i) {
        zip_stat_t stat;
        zip_stat_index(archive, static_cast<zip_uint64_t>(i), 0, &stat);
        auto* entry = zip_fopen_index(archive, static_cast<zip_uint64_t>(i), 0);
        std::string content(stat.size, '\0');
        zip_fread(entry, content.data(), content.size());
        zip_fclose(entry);
        out[stat.name] = content;
    }
    zip_discard(archive);
    return out;
}

inline void write(const fs::path& to, const std::vector<std::pair<std::string, std::string>>& files) {
    auto* archive = zip_open(to.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto& [name, content] : files) {
        auto* source = zip_source_buffer(archive, content.data(), content.size(), 0);
        zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    }
    zip_close(archive);
}

// Uploaded by them, whatever these bytes are.
inline std::string picture(World& w, const Person& owner, const fs::path& media, const std::string& bytes) {
    media::Media made;
    made.account_id = {std::stoll(owner.id)};
    made.file = made.preview = "media/ab/" + base::hex(base::random_bytes(16)) + ".png";
    made.mime = "image/png";
    made.width = made.preview_width = 40;
    made.height = made.preview_height = 20;
    fs::create_directories(media / "media/ab");
    std::ofstream(media / made.file, std::ios::binary) << bytes;
    auto id = w.write([&](db::Write& db) { return media::create(db, made); });
    return std::to_string(id.value);
}

inline std::string file_of(World& w, const std::string& attached) {
    static const db::Query<std::string> sql{"test_media_file", "SELECT file FROM media WHERE id = $1"};
    return w.read([&](db::Read& db) { return db.one(sql, base::MediaId{std::stoll(attached)}); });
}

}  // namespace zipped
