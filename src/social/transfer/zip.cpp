// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/transfer/zip.hpp"

#include <zip.h>

namespace transfer {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(zip_error_t* error) {
    throw std::runtime_error("zip: " + std::string(zip_error_strerror(error)));
}

[[noreturn]] void fail(int code) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string what = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw std::runtime_error("zip: " + what);
}

zip* opened(const fs::path& file, int flags) {
    int code = 0;
    auto* out = zip_open(file.c_str(), flags, &code);
    if (!out) fail(code);
    return out;
}

}  // namespace

ZipWriter::ZipWriter(const fs::path& to) : zip_(opened(to, ZIP_CREATE | ZIP_TRUNCATE), zip_discard) {}

void ZipWriter::add(const std::string& name, const fs::path& file, bool compress) {
    auto* source = zip_source_file(zip_.get(), file.c_str(), 0, -1);
    if (!source) fail(zip_get_error(zip_.get()));
    const auto at = zip_file_add(zip_.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (at < 0) {
        zip_source_free(source);
        fail(zip_get_error(zip_.get()));
    }
    const auto number = static_cast<zip_uint64_t>(at);
    if (zip_set_file_compression(zip_.get(), number, compress ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0)
        fail(zip_get_error(zip_.get()));
}

void ZipWriter::write(const GoesOn& goes_on) {
    auto asks = [](zip*, void* what) { return (*static_cast<const GoesOn*>(what))() ? 0 : 1; };
    auto* state = const_cast<GoesOn*>(&goes_on);
    zip_register_cancel_callback_with_state(zip_.get(), asks, nullptr, state);
    if (zip_close(zip_.get()) == 0) return void(zip_.release());
    if (zip_error_code_zip(zip_get_error(zip_.get())) == ZIP_ER_CANCELLED) throw Interrupted();
    fail(zip_get_error(zip_.get()));
}

}  // namespace transfer
