// SPDX-License-Identifier: AGPL-3.0-or-later
// The options, the mail server, the media worker.
#include "base/crypto.hpp"
#include "base/errors.hpp"
#include "config/addresses.hpp"
#include "net/mail.hpp"
#include "sandbox/child.hpp"
#include "server/checks/checks.hpp"
#include "server/doctor/parts.hpp"
#include "social/media/store.hpp"

#include <fstream>

namespace server {

namespace {

// A temporary folder.
struct Scratch {
    explicit Scratch(const Config& config) {
        std::error_code error;
        const bool there = std::filesystem::is_directory(config.spool_path(), error);
        const auto above = there ? config.spool_path() : std::filesystem::temp_directory_path();
        folder = above / ("doctor-" + base::hex(base::random_bytes(8)));
        std::filesystem::create_directories(folder);
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    Scratch(const Scratch&) = delete;
    std::filesystem::path folder;
};

// A single yellow pixel.
constexpr std::string_view picture(
    "GIF89a\x01\x00\x01\x00\x80\x01\x00\xff\xff\x00\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02"
    "\x02\x44"
    "\x01\x00\x3b",
    35
);

void make_a_picture(const Config& config, Part& part) {
    Scratch scratch(config);
    const auto upload = scratch.folder / "upload.gif";
    std::ofstream(upload, std::ios::binary) << picture;
    const media::Store store(scratch.folder / "media");
    std::string why;
    try {
        auto made = store.process({upload.string(), media::Kind::attachment, {}});
        if (auto* reason = std::get_if<sandbox::Reason>(&made)) why = sandbox::word(*reason);
    } catch (const base::Unavailable& e) {
        why = e.what();
    } catch (const std::system_error& e) {
        why = e.what();
    }
    if (!why.empty())
        part.fault(
            "the media worker made no picture in its sandbox (" + why +
            "); run Linux 5.13 or newer with Landlock and seccomp, in a container that allows them"
        );
}

void look_for_ffmpeg(const Config& config, Part& part) {
    Scratch scratch(config);
    for (const std::string program : {"ffprobe", "ffmpeg"}) {
        auto ended = sandbox::run_worker(
            {"run", program, "-version"}, "/dev/null", scratch.folder, std::chrono::seconds(10)
        );
        if (ended.exit_code == sandbox::no_such_program)
            return part.warn(
                "there is no " + program + ", so video and sound are refused; install it: apt install ffmpeg"
            );
    }
}

}  // namespace

Diagnosis see_configuration(const Patient& patient) {
    Part part("configuration");
    part.add(patient.loaded, Level::fault, faults_of_files(patient.config));
    part.add(patient.loaded, Level::fault, faults_of_sockets(patient.config));
    part.add(patient.loaded, Level::warning, doubts(patient.config));
    for (auto ask : {ask_liveness, ask_domain})
        part.add(patient.loaded, Level::warning, ask(patient.config).doubts);
    return part.or_well(
        patient.loaded.file ? "all options in " + patient.loaded.file->string() + " are good"
                            : "all options are good; there is no file dunlin.toml in " + patient.config.data
    );
}

Diagnosis see_mail(const Patient& patient) {
    const auto& config = patient.config;
    Part part("mail");
    const auto& to = patient.order.mail_to;
    auto smtp = parse_smtp_url(config.smtp_url);
    if (!smtp) {
        if (!to.empty())
            part.warn(
                "no mail goes to " + to + ", as it is written to " + config.mail_path().string() +
                "; set smtp_url, for example smtp://mail.example.org:587"
            );
        return part.or_well("mail is written to " + config.mail_path().string() + ", as smtp_url is not set");
    }
    if (config.test_mode) return part.or_well("not looked at, as test_mode sends none");
    if (auto doubt = doubt_about_mail(config)) {
        part.add(patient.loaded, Level::fault, {*doubt});
        return part.or_well({});
    }
    const auto where = smtp->host + ":" + std::to_string(smtp->port);
    if (to.empty()) return part.or_well(where + " takes our mail; --mail-to YOU@EXAMPLE.ORG sends one");
    smtp->user = config.smtp_user;
    smtp->password = config.smtp_password;
    smtp->from = config.smtp_from;
    smtp->timeout = doctor_patience;
    try {
        net::send_mail(
            *smtp,
            {to,
             "Mail from " + config.domain + " arrives",
             "This is what dunlin doctor --mail-to sends from " + config.public_url + ".\n",
             "",
             ""}
        );
    } catch (const net::MailError& e) {
        part.fault(
            where + " does not take a mail from " + config.smtp_from + " to " + to + " (" + e.what() +
            "); correct smtp_from, or ask whoever runs that server"
        );
    }
    return part.or_well(where + " has taken a mail to " + to + "; see that it arrives, and not among spam");
}

Diagnosis see_media(const Patient& patient) {
    Part part("media");
    sandbox::require_walls(!patient.config.media_without_sandbox);
    make_a_picture(patient.config, part);
    look_for_ffmpeg(patient.config, part);
    const auto found = ask_bucket(patient.config);
    part.add(patient.loaded, Level::fault, found.faults);
    part.add(patient.loaded, Level::warning, found.doubts);
    const auto& bucket = patient.config.s3_bucket;
    return part.or_well(
        "the media worker has made a picture in its sandbox, and ffmpeg is there" +
        (bucket.empty() ? "" : "; the bucket " + bucket + " takes files, gives them back and removes them")
    );
}

}  // namespace server
