// SPDX-License-Identifier: AGPL-3.0-or-later
// The commands of the program; arguments/ parses their parameters. Each returns the exit status: 0 done; 1
// not done; 2 misunderstood. Exceptions become a sentence on stderr.
#pragma once
#include "config/config_load.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace server {

// The arguments common to all commands.
struct Settings {
    std::vector<Setting> flags;
    std::string file;  // --config
    bool json = false;

    Loaded load() const { return server::load({flags, environment(), file}); }
};

// `rehearsal`: serves an unfinished copy of another server; nothing leaves this machine.
int serve(const Settings&, bool rehearsal);

// Concerns the certificate that the server obtained itself.
int show_certificate(const Settings&);
int renew_certificate(const Settings&);

int migrate(const Settings&, bool dry_run);
int show_migrations(const Settings&);  // missing migrations, and those still running in the background

struct NewAccount {
    std::string name, email, password, role;
    bool confirmed = false;
};
int create_account(const Settings&, const NewAccount&);
int list_accounts(const Settings&);
int show_account(const Settings&, const std::string& name);

struct AccountChange {
    std::string name;
    std::optional<std::string> role, password, email;
    bool confirm = false, approve = false, enable = false, disable = false, reset_password = false,
         remove_second_factor = false;
};
int modify_account(const Settings&, const AccountChange&);

// Everything a person wrote, as a zip file.
int export_account(const Settings&, const std::string& name, const std::string& to);

// Imports the posts of such a file as the person's own.
int import_account(const Settings&, const std::string& name, const std::string& file);

int delete_account(const Settings&, const std::string& name, bool sure);
enum class Restrict { suspend, unsuspend, limit, unlimit };
int restrict_account(const Settings&, const std::string& name, Restrict);

int add_alias(const Settings&, const std::string& name, const std::string& other);
int remove_alias(const Settings&, const std::string& name, const std::string& other);
int list_aliases(const Settings&, const std::string& name);
int move_account(const Settings&, const std::string& name, const std::string& target);

struct NewToken {
    std::string name, scopes;
};
int create_token(const Settings&, const NewToken&);

struct NewEmoji {
    std::string shortcode, file, category;
};
int create_emoji(const Settings&, const NewEmoji&);
int list_emojis(const Settings&);
int delete_emoji(const Settings&, const std::string& shortcode, bool sure);
struct EmojiImport {
    std::string from, category;
    bool overwrite = false;
};
int import_emojis(const Settings&, const EmojiImport&);

struct NewAnnouncement {
    std::string text, publish_at, starts_at, ends_at;
    bool all_day = false;
};
int create_announcement(const Settings&, const NewAnnouncement&);  // prints its number
int list_announcements(const Settings&);
int delete_announcement(const Settings&, const std::string& id);

struct NewInvite {
    int uses = 0, days = 0;  // 0: unlimited
    std::string autofollow;
};
int create_invite(const Settings&, const NewInvite&);  // prints its URL
int list_invites(const Settings&);
int revoke_invite(const Settings&, const std::string& code);

int list_hosts(const Settings&);
int list_queue(const Settings&);
int retry_deliveries(const Settings&, const std::string& host);  // empty: to all

int add_relay(const Settings&, const std::string& address);
int remove_relay(const Settings&, const std::string& address);
int list_relays(const Settings&);

struct NewServerRule {
    std::string domain, severity = "silence";
    bool reject_media = false, reject_reports = false, obfuscate = false;
    std::string public_comment, private_comment;
};
int block_server(const Settings&, const NewServerRule&);
int unblock_server(const Settings&, const std::string& domain);
int list_blocked_servers(const Settings&);

struct ListOrder {
    std::string file, severity = "suspend";  // "-": standard input
    std::string name, id, domain;
    bool dry_run = false, remove = false;
};
int preview_list(const Settings&, const ListOrder&);
int apply_list(const Settings&, const ListOrder&);
int undo_list(const Settings&, const ListOrder&);
int show_lists(const Settings&, const ListOrder&);         // without an id: all
int export_list(const Settings&, const ListOrder&);        // without an id: all rules
int except_from_lists(const Settings&, const ListOrder&);  // without a domain: lists them

struct SourceOrder {
    std::string id, url, name, kind, role, mode, ceiling, retractions;  // empty: unchanged
    std::optional<std::string> label;
    std::optional<std::int64_t> priority;
    std::int64_t agree = 0;
    std::vector<std::string> domains, members;
    bool dry_run = false, all = false, lift = false;
};
int add_list_source(const Settings&, const SourceOrder&);
int add_list_group(const Settings&, const SourceOrder&);
int change_list_source(const Settings&, const SourceOrder&);
int show_list_sources(const Settings&, const SourceOrder&);  // without an id: all
int sync_list_source(const Settings&, const SourceOrder&);
int accept_list_source(const Settings&, const SourceOrder&);
int take_from_list_source(const Settings&, const SourceOrder&);  // without domains: all suggestions
int dismiss_from_list_source(const Settings&, const SourceOrder&);
int lift_of_list_source(const Settings&, const SourceOrder&);
int remove_list_source(const Settings&, const SourceOrder&);

struct RuleOrder {
    std::string id, file, text, mode, since;
    std::int64_t days = 7;
    bool dry_run = false;
};
int list_rules(const Settings&);
int show_rule(const Settings&, const RuleOrder&);
int import_rules(const Settings&, const RuleOrder&);
int export_rules(const Settings&, const RuleOrder&);  // without an id: all
int check_text(const Settings&, const RuleOrder&);
int rehearse_rule(const Settings&, const RuleOrder&);
int set_rule_mode(const Settings&, const RuleOrder&);
int undo_rule(const Settings&, const RuleOrder&);

struct WordsOrder {
    std::string name, file, kind;
};
int list_words(const Settings&);
int import_words(const Settings&, const WordsOrder&);  // creates or replaces the list
int export_words(const Settings&, const WordsOrder&);
int remove_words(const Settings&, const WordsOrder&);

struct LabelOrder {
    std::string name, title, effect;
    std::string account, post, server;  // what it is put on: one of them
    bool sure = false;
};
int list_labels(const Settings&);
int create_label(const Settings&, const LabelOrder&);
int change_label(const Settings&, const LabelOrder&);
int delete_label(const Settings&, const LabelOrder&);
int put_label(const Settings&, const LabelOrder&);
int take_label(const Settings&, const LabelOrder&);

// Makes the servers on the data folder read-only, until it is turned off.
int show_read_only(const Settings&);
int set_read_only(const Settings&, bool on, const std::string& reason);

// Maintenance mode: only staff can use the site.
int show_maintenance(const Settings&);
int set_maintenance(const Settings&, bool on, const std::string& message);
struct HoldOrder {
    std::string id;
};
int list_held(const Settings&);
int release_held(const Settings&, const HoldOrder&);
int drop_held(const Settings&, const HoldOrder&);

struct TransparencyOrder {
    std::string from, to, form = "markdown";
};
int show_transparency(const Settings&, const TransparencyOrder&);

// Background jobs that wait, fail or were given up.
int list_jobs(const Settings&);
int retry_jobs(const Settings&, const std::string& id);  // empty: all that were given up
int drop_job(const Settings&, const std::string& id);

int list_streams(const Settings&);    // of the servers that use the data folder
int list_nodes(const Settings&);      // of those that share the database
int top(const Settings&, bool once);  // of those that use the data folder
int top_limits(const Settings&);
int tune(const Settings&);  // proposes options; changes none

int warn_account(const Settings&, const std::string& name, const std::string& text);
int show_notes(const Settings&, const std::string& name, const std::string& add);  // empty: only shows

struct ReportList {
    bool all = false;  // including resolved ones
};
int list_reports(const Settings&, const ReportList&);
int show_report(const Settings&, const std::string& id);
int resolve_report(const Settings&, const std::string& id);
int assign_report(const Settings&, const std::string& id, const std::string& name);

// Whether sign-ups need approval; empty: only shows the mode.
int set_registrations(const Settings&, const std::string& mode);

// Settings that staff can change while the server runs.
struct SettingOrder {
    std::string name, value;  // the name is optional for the history
};
int list_settings(const Settings&);
int get_setting(const Settings&, const SettingOrder&);
int set_setting(const Settings&, const SettingOrder&);
int undo_setting(const Settings&, const SettingOrder&);
int show_setting_history(const Settings&, const SettingOrder&);

// The weekly digest for those who look after the server.
int show_digest(const Settings&);
int send_digest(const Settings&);

int list_audit(const Settings&);
int verify_audit(const Settings&);

struct NewRole {
    std::string name;
    std::vector<std::string> permissions;
    std::optional<std::int64_t> position;
    std::optional<bool> require_second_factor;
};
int list_roles(const Settings&);
int set_role(const Settings&, const NewRole&);

int print_openapi();
int list_routes(const std::string& format);  // "", tsv or json
int check_config(const Settings&, bool offline);
int show_config(const Settings&);
int health(const Settings&);  // of the server that listens at the configured addresses
struct SetupOrder {
    std::string file, tls;  // "self", "proxy"
    bool sure = false;
};
int setup(const Settings&, const SetupOrder&);  // asks what a new operator must decide
struct DoctorOrder {
    std::string mail_to;                 // empty: sends no mail
    std::optional<std::string> outside;  // see server::Order
    bool fix = false, dry_run = false, sure = false;
};
int doctor(const Settings&, const DoctorOrder&);
int write_docs(const std::string& folder, bool check);
// Writes files by name.
int write_pages(const std::string& folder, const std::vector<std::pair<std::string, std::string>>&);
int print_text(const std::string&);
int show_version(bool json);
std::string version_line();

int back_up(const Settings&, const std::string& to);  // empty: to backup_to
int list_backup(const Settings&, const std::string& from);
int verify_backup(const Settings&, const std::string& from, const std::string& at);
int prune_backup(const Settings&, const std::string& from);
int make_backup_key(const Settings&);

struct RestoreOrder {
    std::string from, at, to, uploads = "now";
    bool revoke_tokens = false;
};
int restore(const Settings&, const RestoreOrder&);

// The database as portable text; "-": through a pipe.
int dump_database(const Settings&, const std::string& to);
int load_database(const Settings&, const std::string& from);

// Moves to an empty database of the other engine: "postgres://…", "sqlite:FOLDER".
int migrate_to(const Settings&, const std::string& to);
int compare_with(const Settings&, const std::string& to);
int forget_move(const Settings&);
// dunlin takeover: replaces another server on the same domain.
struct TakeoverOrder {
    std::string source, old_config, media, to;
    std::int64_t notification_days = 90, samples = 200;
    bool everything = false, anyway = false, dry_run = false, newer = false, lose_portable = false;
};
int check_takeover(const Settings&, const TakeoverOrder&);
int copy_takeover(const Settings&, const TakeoverOrder&);
int finish_takeover(const Settings&, const TakeoverOrder&);
int show_takeover(const Settings&);
int compare_takeover(const Settings&, const TakeoverOrder&);
int undo_takeover(const Settings&, const TakeoverOrder&);

// Parses main's arguments and returns the exit status.
int run(int argc, const char* const* argv);

// dunlin media: the space used by copies of remote pictures.
int show_media_usage(const Settings&, std::optional<std::int64_t> most_megabytes);
int prune_media(const Settings&, std::int64_t megabytes);
// Removes remote content that the rules no longer keep; or shows what that would be, and what uses space.
struct PruneOrder {
    bool dry_run = false;
    std::optional<std::int64_t> days;  // instead of remote_posts_days
};
int prune(const Settings&, const PruneOrder&);

struct PurgeHash {
    std::string hash, kind = "pdq";
    std::int64_t distance = 31;
    bool dry_run = false;
};
int purge_hash(const Settings&, const PurgeHash&);

// dunlin media migrate: moves all files into the folder or into the bucket.
struct MediaMoveOrder {
    std::string to;  // "folder", "s3"
    bool dry_run = false, remove = false;
};
int migrate_media(const Settings&, const MediaMoveOrder&);

}  // namespace server
