// SPDX-License-Identifier: AGPL-3.0-or-later
#include "config/config_table.hpp"
#include "docs/command.hpp"

namespace server {

namespace {

// Escaped for roff.
std::string plain(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else out += c;
    }
    if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
    return out;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string heading(std::string_view name, std::string_view section, std::string_view version) {
    return ".TH " + std::string(name) + " " + std::string(section) + " \"\" \"Dunlin " +
           std::string(version) + "\" \"Dunlin\"\n";
}

std::string item(const std::string& term, std::string_view help) {
    return ".TP\n" + term + "\n" + plain(help) + "\n";
}

std::string term_of(const Flag& flag) {
    if (!flag.named()) return italic(flag.name);
    return bold(flag.name) + (flag.value.empty() ? "" : " " + italic(flag.value));
}

std::string synopsis_of(const Command& command) {
    std::string line = bold("dunlin " + command.name);
    bool more = command.takes_options;
    for (const auto& flag : command.flags)
        if (flag.named() && !flag.required) more = true;
        else line += " " + term_of(flag);
    return line + (more ? " [" + italic("OPTIONS") + "]" : "");
}

constexpr std::string_view common = R"(.SH OPTIONS
All commands but a few take these.
.TP
\fB\-\-data\fR \fIDIR\fR
Folder of everything the server keeps. Packages have it in \fI/var/lib/dunlin\fR.
.TP
\fB\-\-config\fR \fIFILE\fR
File of options; otherwise \fIdunlin.toml\fR in that folder.
.TP
\fB\-\-database\fR \fIURL\fR
PostgreSQL, where it is not SQLite in that folder.
.PP
Any other option of
.BR dunlin.toml (5)
is a flag, too: \fB\-\-public\-url\fR for \fIpublic_url\fR; \fB\-\-no\-confirmation\fR where \fIconfirmation\fR is false.
)";

constexpr std::string_view rest = R"(.SH ENVIRONMENT
.TP
\fBDUNLIN_\fR\fIOPTION\fR
Any option, in capitals: \fBDUNLIN_PUBLIC_URL\fR. Flags win over the environment, the environment wins over the file.
.TP
\fBDUNLIN_CONFIG\fR
As \fB\-\-config\fR.
.TP
\fBNOTIFY_SOCKET\fR, \fBWATCHDOG_USEC\fR, \fBLISTEN_FDS\fR, \fBLISTEN_FDNAMES\fR
Of systemd: \fBserve\fR tells it how it does, and serves the sockets named \fIhttp\fR and \fIhttps\fR instead of its own.
.SH SIGNALS
.TP
\fBSIGTERM\fR, \fBSIGINT\fR
Ends the server once what was asked is answered; a second one at once.
.TP
\fBSIGHUP\fR
Reads the configuration and the certificate again.
.SH EXIT STATUS
0 done; 1 not done; 2 misunderstood. Of \fBconfig check\fR and \fBdoctor\fR: 0 all well; 1 warnings; 2 faults.
.SH SEE ALSO
.BR dunlin.toml (5)
)";

}  // namespace

std::string man_page(std::span<const Command> commands, std::string_view version) {
    std::string page =
        heading("DUNLIN", "1", version) +
        ".SH NAME\ndunlin \\- social server for the fediverse\n"
        ".SH SYNOPSIS\n.B dunlin\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n"
        ".SH DESCRIPTION\nDunlin serves a site of the social web: it federates over ActivityPub, and apps "
        "written for Mastodon work with it. All commands work beside a running server, as its user:\n"
        ".PP\n.EX\nsudo \\-u dunlin dunlin account list \\-\\-data /var/lib/dunlin\n.EE\n"
        ".SH COMMANDS\n";
    for (const auto& command : commands) {
        page += ".SS dunlin " + plain(command.name) + "\n" + plain(command.what) + "\n.PP\n" +
                synopsis_of(command) + "\n";
        for (const auto& flag : command.flags) page += item(term_of(flag), flag.help);
        if (!command.example.empty()) page += ".PP\n.EX\n" + plain(command.example) + "\n.EE\n";
    }
    return page + std::string(common) + std::string(rest);
}

std::string man_page_of_configuration(std::string_view version) {
    std::string page = heading("DUNLIN.TOML", "5", version) +
                       ".SH NAME\ndunlin.toml \\- configuration of dunlin\n"
                       ".SH SYNOPSIS\n.I /etc/dunlin/dunlin.toml\n"
                       ".SH DESCRIPTION\nA file of TOML, a line for each option:\n"
                       ".PP\n.EX\npublic_url = \"https://social.example.org\"\nmax_characters = 5000\n"
                       "trusted_proxies = [\"127.0.0.0/8\", \"::1/128\"]\n.EE\n.PP\n"
                       "Lines that begin with # say nothing. \\fBdunlin config check\\fR looks for mistakes, "
                       "\\fBdunlin config "
                       "show\\fR prints what holds and why. What is marked with * takes effect on SIGHUP, "
                       "everything else at the "
                       "next start. What is marked with + the team changes while the server runs, on a page "
                       "or by \\fBdunlin "
                       "setting\\fR, as long as it stands neither here nor in the environment.\n";
    std::string_view section;
    for (const auto& option : options()) {
        if (option.section != section) page += ".SH " + plain(section = option.section) + "\n";
        const auto usual = option.derived.empty() ? value_of(Config{}, option) : std::string(option.derived);
        page += item(
            bold(option.name) +
                (option.reloadable ? "*"
                 : option.of_site  ? "+"
                                   : "") +
                " (" + plain(kind_of(option)) + (usual.empty() ? "" : "; otherwise " + plain(usual)) + ")",
            option.help
        );
    }
    return page + ".SH SEE ALSO\n.BR dunlin (1)\n";
}

std::string example_configuration() { return configuration_file({}, {}); }

std::string configuration_file(const Config& config, const std::set<std::string>& said) {
    std::string file =
        "# Configuration of Dunlin. What begins with # stands here as it is without this file; take the # "
        "away to "
        "change it.\n"
        "# `dunlin config check` looks for mistakes, and a restart makes changes hold. A server needs "
        "public_url.\n";
    std::string_view section;
    for (const auto& option : options()) {
        if (option.section != section)
            file += "\n# ---- " + std::string(section = option.section) + " ----\n";
        file += "\n# " + std::string(option.help) + "\n";
        if (!option.derived.empty()) file += "# Otherwise: " + std::string(option.derived) + ".\n";
        const bool is_said = said.contains(std::string(option.name));
        file += (is_said ? "" : "#") + std::string(option.name) + " = " +
                json_of(is_said ? config : Config{}, option) + "\n";
    }
    return file;
}

}  // namespace server
