// SPDX-License-Identifier: AGPL-3.0-or-later
// Encrypts files before they leave this machine and decrypts them when they are read: libsodium's
// secretstream (XChaCha20-Poly1305) in chunks of 64 KiB. Each file is bound to its name, so that files cannot
// be swapped. Names and sizes stay readable, and so does manifest.json, which identifies the key.
#include "backup/target.hpp"
#include "base/crypto.hpp"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>

namespace backup {

namespace {

constexpr std::string_view mark = "dunlin 1";
constexpr std::size_t stretch = 64 << 10, tag = crypto_secretstream_xchacha20poly1305_ABYTES,
                      head = mark.size() + crypto_secretstream_xchacha20poly1305_HEADERBYTES;
static_assert(backup_key_bytes == crypto_secretstream_xchacha20poly1305_KEYBYTES);

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

using Next = std::function<std::string(std::size_t bytes)>;  // exactly that many, or throws
using Take = std::function<void(std::string_view)>;

Next next_of(std::string_view whole) {
    return [whole](std::size_t bytes) mutable {
        std::string piece(whole.substr(0, bytes));
        whole.remove_prefix(bytes);
        return piece;
    };
}

Next next_of(std::ifstream& file, const std::string& where) {
    return [&file, where](std::size_t bytes) {
        std::string piece(bytes, '\0');
        if (!file.read(piece.data(), static_cast<std::streamsize>(bytes)))
            throw Away(where + " cannot be read");
        return piece;
    };
}

// The last chunk is marked as such, so that truncation is detected.
void seal(
    const std::string& key, const std::string& name, std::uint64_t bytes, const Next& next, const Take& take
) {
    crypto_secretstream_xchacha20poly1305_state state;
    std::string begin(head, '\0');
    std::ranges::copy(mark, begin.begin());
    crypto_secretstream_xchacha20poly1305_init_push(&state, bytes_of(begin) + mark.size(), bytes_of(key));
    take(begin);
    for (bool last = false; !last;) {
        const auto piece = next(static_cast<std::size_t>(std::min<std::uint64_t>(stretch, bytes)));
        bytes -= piece.size();
        last = bytes == 0;
        std::string sealed(piece.size() + tag, '\0');
        crypto_secretstream_xchacha20poly1305_push(
            &state,
            bytes_of(sealed),
            nullptr,
            bytes_of(piece),
            piece.size(),
            bytes_of(name),
            name.size(),
            last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : 0
        );
        take(sealed);
    }
}

void open(
    const std::string& key, const std::string& name, const std::string& where, std::uint64_t bytes,
    const Next& next, const Take& take
) {
    const auto damaged = [&] { return Broken(where + " is damaged"); };
    if (bytes < head + tag) throw damaged();
    crypto_secretstream_xchacha20poly1305_state state;
    const auto begin = next(head);
    if (!begin.starts_with(mark) || crypto_secretstream_xchacha20poly1305_init_pull(
                                        &state, bytes_of(begin) + mark.size(), bytes_of(key)
                                    ) != 0)
        throw damaged();
    for (bytes -= head; bytes > 0;) {
        const auto sealed = next(static_cast<std::size_t>(std::min<std::uint64_t>(stretch + tag, bytes)));
        bytes -= sealed.size();
        std::string piece(sealed.size() < tag ? 0 : sealed.size() - tag, '\0');
        unsigned char kind = 0;
        if (sealed.size() < tag ||
            crypto_secretstream_xchacha20poly1305_pull(
                &state,
                bytes_of(piece),
                nullptr,
                &kind,
                bytes_of(sealed),
                sealed.size(),
                bytes_of(name),
                name.size()
            ) != 0 ||
            (kind == crypto_secretstream_xchacha20poly1305_TAG_FINAL) != (bytes == 0))
            throw damaged();
        take(piece);
    }
}

// A file that is too short counts as empty; reading it reports the damage.
std::uint64_t opened_bytes(std::uint64_t sealed) {
    if (sealed < head + tag) return 0;
    const auto body = sealed - head, stretches = (body + stretch + tag - 1) / (stretch + tag);
    return body - std::min(body, stretches * tag);
}

// An unlinked temporary file, so that nothing is left of it whatever happens.
class Nameless {
public:
    Nameless() {
        auto name = (fs::temp_directory_path() / "dunlin-sealed-XXXXXX").string();
        file_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (file_ < 0) throw_away(name, "written");
        ::unlink(name.c_str());
    }
    ~Nameless() { ::close(file_); }
    Nameless(const Nameless&) = delete;

    void add(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto written = ::write(file_, bytes.data(), bytes.size());
            if (written < 0) throw_away(fs::temp_directory_path(), "written");
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    fs::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
    int file_;
};

// A temporary file beside another one, removed at the end.
struct Aside {
    Aside(fs::path beside, const char* ending) : path(beside += ending) {}
    ~Aside() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
    Aside(const Aside&) = delete;

    const fs::path path;
};

class SealedTarget final : public Target {
public:
    SealedTarget(std::shared_ptr<Target> real, std::string key)
        : real_(std::move(real)), key_(std::move(key)) {}

    std::string where() const override { return real_->where(); }
    std::string key_id() const override { return backup::key_id(key_); }

    std::optional<std::uint64_t> size(const std::string& name) override {
        const auto bytes = real_->size(name);
        return bytes && !is_open(name) ? opened_bytes(*bytes) : bytes;
    }
    std::vector<Stored> list(const std::string& folder) override {
        auto all = real_->list(folder);
        for (auto& file : all)
            if (!is_open(file.name)) file.bytes = opened_bytes(file.bytes);
        return all;
    }
    std::string read(const std::string& name) override {
        const auto sealed = real_->read(name);
        if (is_open(name)) return sealed;
        std::string out;
        out.reserve(sealed.size());
        backup::open(
            key_,
            name,
            Target::where(name),
            sealed.size(),
            next_of(sealed),
            [&](std::string_view piece) { out += piece; }
        );
        return out;
    }
    std::string part(const std::string& name, std::uint64_t offset, std::size_t bytes) override {
        const auto whole = read(name);
        return whole.substr(std::min<std::uint64_t>(offset, whole.size()), bytes);
    }
    void fetch(const std::string& name, const fs::path& to) override {
        if (is_open(name)) return real_->fetch(name, to);
        const Aside sealed(to, ".sealed"), opened(to, ".opened");
        real_->fetch(name, sealed.path);
        std::ifstream in(sealed.path, std::ios::binary);
        std::ofstream out(opened.path, std::ios::binary);
        backup::open(
            key_,
            name,
            Target::where(name),
            fs::file_size(sealed.path),
            next_of(in, sealed.path.string()),
            [&](std::string_view piece) { out << piece; }
        );
        out.close();
        if (!out) throw_away(to, "written");
        fs::rename(opened.path, to);
    }
    std::string sha256(const std::string& name) override { return base::sha256_hex(read(name)); }

    void put(const std::string& name, std::string_view bytes, bool keep) override {
        if (is_open(name)) return real_->put(name, bytes, keep);
        std::string sealed;
        sealed.reserve(bytes.size() + head + (bytes.size() / stretch + 1) * tag);
        seal(key_, name, bytes.size(), next_of(bytes), [&](std::string_view piece) { sealed += piece; });
        real_->put(name, sealed, keep);
    }
    void put_file(const std::string& name, const fs::path& from) override {
        std::ifstream in(from, std::ios::binary);
        Nameless sealed;
        seal(key_, name, fs::file_size(from), next_of(in, from.string()), [&](std::string_view piece) {
            sealed.add(piece);
        });
        real_->put_file(name, sealed.path());
    }
    void remove(const std::string& name) override { real_->remove(name); }
    void keep(const std::vector<std::string>& names) override { real_->keep(names); }
    void prepare() override { real_->prepare(); }
    std::unique_ptr<Hold> hold() override { return real_->hold(); }

    bool grows() const override { return false; }
    void write_at(const std::string&, std::uint64_t, std::string_view) override {
        throw std::logic_error("what is encrypted does not grow");
    }
    void append(const std::string& name, std::uint64_t offset, std::string_view bytes) override {
        write_at(name, offset, bytes);
    }

    std::size_t lanes() const override { return real_->lanes(); }
    void stop() override { real_->stop(); }

private:
    static bool is_open(const std::string& name) { return name == manifest_name; }

    const std::shared_ptr<Target> real_;
    const std::string key_;
};

}  // namespace

std::string key_id(const std::string& key) {
    constexpr std::size_t digits = 16;
    return base::sha256_hex("the key of a backup: " + key).substr(0, digits);
}

std::shared_ptr<Target> sealed_target(std::shared_ptr<Target> real, std::string key) {
    return std::make_shared<SealedTarget>(std::move(real), std::move(key));
}

}  // namespace backup
