// SPDX-License-Identifier: AGPL-3.0-or-later
// The folder of uploads (data/media), and the questions by which handlers and jobs have something done in it. No
// decoder runs here and nothing that was uploaded is kept: the sandboxed worker makes every picture anew.
//
//   media/<2 hex>/<32 hex>.<ext>, media/<2 hex>/<32 hex>_small.<ext>     what statuses show, and its preview
//   avatars|headers/<2 hex>/<account id>-<32 hex>.<ext>, …_static.png    and the still of an animated one
//   emojis/<2 hex>/<32 hex>.<ext>, …_static.png
//   .work/<32 hex>/                                                       one job's own, gone with it
//   .uploads/<32 hex>                                                     waits for the encoder (processing.hpp)
//   .withheld/…                                                           the same again: files of suspended accounts
//   .evidence/<32 hex>.<ext>                                              was reported; for moderators only
//   .quarantine/<32 hex>.<ext>                                            on a list of pictures that must not be here
//   .archives/…                                                           what people take along or bring (transfer/archive.hpp)
//
// The 32 digits are chance, so nobody finds a file whose address was not told. Files of one picture are a family:
// their names differ after the first `_` or `.` only. The first two digits name the shard.
#pragma once
#include "base/ask.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "sandbox/media_job.hpp"
#include "sandbox/pdq.hpp"
#include "social/media/files.hpp"
#include "social/media/types.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace media {

// A thumbnail is what its owner wants shown instead of a video's first picture: only its preview is kept.
BOOST_DEFINE_ENUM_CLASS(Kind, attachment, avatar, header, emoji, thumbnail)

// How a picture can be told again.
struct Print {
    std::string sha256;  // hexadecimal, of the bytes of a file; or nothing
    sandbox::Pdq pdq;
};

struct Stored {
    std::string file, mime;  // all paths are below data/media
    std::int64_t width = 0, height = 0;
    std::string preview, blurhash;  // attachments
    std::int64_t preview_width = 0, preview_height = 0;
    std::string still;  // avatars, headers, emojis; `file` itself unless it is animated
    Type type = Type::image;
    std::optional<std::string> frame_rate, colors;  // colors: JSON
    std::optional<double> duration;
    std::optional<std::int64_t> bitrate;
    std::vector<Print> prints;  // of what came, of what is kept, of later pictures of a video
    base::AccountId owner;      // of an avatar or header
};
using Processed = std::variant<Stored, sandbox::Reason>;

// The answer is kept with the request and the names come with it, so a function that is run again sees the same
// files. They are on the disk for good; if no row comes to name them, sweep_orphans finds them.
struct ProcessImage {
    std::string path;  // of the upload
    Kind kind = Kind::attachment;
    base::AccountId owner;  // of an avatar or header
    using Answer = Processed;
};
DESCRIBE(ProcessImage, path, kind, owner)

// Sound or moving pictures, kept as they came until the encoder has its turn.
struct Waiting {
    Type type = Type::video;
    std::string source;  // a path below data/media that is not served
    // As it came.
    std::int64_t width = 0, height = 0;
    std::optional<std::string> frame_rate;
    std::optional<double> duration;
    std::optional<std::int64_t> bitrate;
};
struct Unwanted {
    sandbox::Reason reason;
    bool moving = false;  // it was taken for one of these
};
using Taken = std::variant<Stored, Waiting, Unwanted>;

// An upload of any kind. Images are made at once; all else waits.
struct TakeUpload {
    std::string path;
    using Answer = Taken;
};
DESCRIBE(TakeUpload, path)

// What becomes of a Waiting one; takes minutes. Its source is gone afterwards.
struct Encode {
    std::string source;
    using Answer = Processed;
};
DESCRIBE(Encode, source)

// Those that are gone already are fine. Answers how many there were.
struct RemoveFiles {
    std::vector<std::string> files;
    using Answer = int;
};
DESCRIBE(RemoveFiles, files)

// Out of what is served, or back (withholding.hpp). Those that are there already are fine.
struct Withhold {
    std::vector<std::string> files;
    bool withheld = true;
    using Answer = int;
};
DESCRIBE(Withhold, files, withheld)
// Media that are kept although what shows them may be deleted: the same file once more, in a folder that is not served.
// Those that are gone already are fine, and so is asking twice. Answers how many are kept now.
struct KeepFiles {
    std::vector<std::string> files;
    using Answer = int;
};
DESCRIBE(KeepFiles, files)
struct ForgetKept {
    std::vector<std::string> files;  // as they were given to KeepFiles
    using Answer = int;
};
DESCRIBE(ForgetKept, files)
std::string kept_as(std::string_view file);  // a path below data/media

// Pictures that nobody may reach (hashes/quarantine.hpp), into a folder that is not served, or back. `names`: what they are called
// there. Those that are there already are fine. Answers how many were moved.
struct Quarantine {
    std::vector<std::string> files, names;
    bool in = true;
    using Answer = int;
};
DESCRIBE(Quarantine, files, names, in)
struct DestroyQuarantined {
    std::vector<std::string> names;
    using Answer = int;
};
DESCRIBE(DestroyQuarantined, names)
// For the eyes of the team. Empty: it is gone.
struct ReadQuarantined {
    std::string name;
    using Answer = std::string;
};
DESCRIBE(ReadQuarantined, name)

// The media, avatars and headers of one shard that are older than `before`. Work folders that old go on the way.
struct OldFiles {
    int shard = 0;
    base::Time before;
    using Answer = std::vector<std::string>;
};
DESCRIBE(OldFiles, shard, before)

constexpr int shards = 256;

// "media/ab/ab12" of "media/ab/ab12_small.jpg".
std::string_view family(std::string_view file);
// All files of what was made, the original last.
std::vector<std::string> family_of(const Stored&);
// Whether it is the first of its family, not a preview or still.
bool is_original(std::string_view file);

// Blocks: for CPU threads, jobs and the command line. Throws Unavailable when the worker, the disk or what keeps the files
// refuses.
class Store {
public:
    // Works in the folder, and keeps the files there unless they are kept elsewhere.
    explicit Store(std::filesystem::path folder, bool accept_heif = true)
        : Store(folder, std::make_shared<FolderFiles>(folder), accept_heif) {}
    Store(std::filesystem::path folder, std::shared_ptr<Files> files, bool accept_heif)
        : folder_(std::move(folder)), files_(std::move(files)), accept_heif_(accept_heif) {}

    const std::filesystem::path& folder() const { return folder_; }
    Files& files() const { return *files_; }

    Processed process(const ProcessImage&) const;
    Taken take(const TakeUpload&) const;
    // As Encode asks, but the source stays until it is forgotten.
    Processed encode(const std::string& source) const;
    void forget(const std::string& source) const;
    int remove(const RemoveFiles&) const;  // withheld or not
    int withhold(const Withhold&) const;
    int keep(const KeepFiles&) const;
    int forget_kept(const ForgetKept&) const;
    int quarantine(const Quarantine&) const;
    int destroy_quarantined(const DestroyQuarantined&) const;
    std::string read_quarantined(const ReadQuarantined&) const;
    std::vector<std::string> old_files(const OldFiles&) const;

    // Told of everything that was made, before anybody else is; false: it must not stay, and whoever brought it is told that it
    // cannot be read. Given once, before there are threads; copies of this store have it, too.
    using Watch = std::function<bool(const Store&, const Stored&)>;
    void watch(Watch watch) { *watch_ = std::move(watch); }

private:
    Processed watched(Processed) const;

    std::filesystem::path folder_;
    std::shared_ptr<Files> files_;
    bool accept_heif_;
    std::shared_ptr<Watch> watch_ = std::make_shared<Watch>();
};

// Registers it as the one who answers the questions.
void answer_questions(base::ExternalServices&, const Store&);

struct EmojiFiles {
    std::string file, static_file;
};
// For the command line. Throws Invalid with a sentence about the file.
EmojiFiles store_emoji(const Store&, const std::filesystem::path& picture);

}  // namespace media
