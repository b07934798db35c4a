// SPDX-License-Identifier: AGPL-3.0-or-later
// A server whose place is taken, as its database tells of it. One reader for each program: it knows that one's tables, and makes
// rows of ours of them (rows.hpp). Who copies, goes on after a cut and keeps the books is copy.hpp.
#pragma once
#include "base/site.hpp"
#include "db/foreign/foreign.hpp"
#include "takeover/files.hpp"
#include "takeover/numbers.hpp"
#include "takeover/rows.hpp"
#include "takeover/samples.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace takeover {

// Nothing can be taken over this way; a sentence that says what to do.
struct Unsuitable : std::runtime_error {
    using runtime_error::runtime_error;
};

// Secrets and words of logins in the forms that other programs store (secrets.cpp).

// Of an authenticator app; spaces and padding do not matter. Nothing: it is none.
std::optional<std::string> from_base32(std::string_view);
// A key of WebAuthn in COSE, as authenticators write it. Nothing: its kind is not known here.
struct PasskeyKey {
    std::string bytes;
    std::int64_t algorithm = 0;
};
std::optional<PasskeyKey> passkey_of_cose(std::string_view);
// Hashes of recovery codes that are tried here: some, and none that costs more than others do, since each costs time at a sign-in.
std::vector<std::string> known_recovery_codes(const std::vector<std::string>& hashes);
// Those that apps can ask for here; unknown words are left out. Nothing: there are no others. Without any word it is "read".
std::optional<std::string> known_scopes(std::string_view);
// A subscription's number, which the API tells as one that scripts can read.
std::int64_t number_of_push(std::string_view former);

// Where a step puts what it has read.
class Sink {
public:
    explicit Sink(Numbers& all) : numbers(all) {}
    virtual ~Sink() = default;

    template <class Row>
    void put(Row row) {
        add([row = std::move(row)](db::Write& db) {
            write(db, row);
            return true;
        });
    }
    // One of its kind may be there already: then this one is refused, and nothing refers to it.
    template <class Row>
    void put(Row row, const std::string& kind, const std::string& former, const char* clash) {
        add_unique([row = std::move(row)](db::Write& db) { return write(db, row) > 0; }, kind, former, clash);
    }
    // A row that cannot be taken.
    virtual void refuse(const std::string& kind, const std::string& former, const std::string& why) = 0;
    // All up to here has been put: a copy that was cut off goes on behind it. What is put may be written now.
    virtual void done(const std::string& position) = 0;

    // Also before the copy was cut off.
    bool is_refused(const std::string& kind, const std::string& former) const {
        const auto of = refused_.find(kind);
        return of != refused_.end() && of->second.contains(former);
    }

    Numbers& numbers;

protected:
    void note_refused(const std::string& kind, const std::string& former) { refused_[kind].insert(former); }

    using Writing = std::function<bool(db::Write&)>;
    virtual void add(Writing) = 0;
    virtual void add_unique(
        Writing, const std::string& kind, const std::string& former, const char* clash
    ) = 0;

private:
    std::unordered_map<std::string, std::unordered_set<std::string>> refused_;
};

struct Step {
    std::string name;
    std::vector<std::string> tables;  // of the source: whose rows are counted
    // From behind `position`; empty: from the beginning.
    std::function<void(const std::string& position, Sink&)> copy;
};

// What does not come along: by name, with how many there are.
struct Loss {
    std::string what;
    std::int64_t rows = 0;
};
DESCRIBE(Loss, what, rows)

struct KeyFinding {
    std::string actor;
    bool good = false;
};

struct Addresses {
    std::string domain, public_url;  // of handles; of everything that has an address
};

// What is chosen for a copy.
struct Choice {
    bool everything = false;              // also what nobody here has to do with
    std::int64_t notification_days = 90;  // older ones stay behind
    bool limited = false;                 // this server talks to allowed servers alone
    bool anew = false;                    // also where a copy was cut off, which would go on otherwise
    Time now;
    // Rows at a time, in one transaction: each touches a page of every index, and fewer are touched twice where there are more.
    std::size_t chunk = 4000;
};

class Source {
public:
    virtual ~Source() = default;
    virtual std::string program() const = 0;
    virtual std::string version() = 0;
    // Throws Unsuitable: a version that is not known, or the first column that is not as expected.
    virtual void check_schema() = 0;
    // From now on one that is newer than those that are known will do, as long as its columns are as expected.
    void take_newer() { newer_will_do_ = true; }
    virtual Addresses addresses() = 0;
    virtual std::vector<Loss> losses() = 0;
    // Lines of dunlin.toml, besides the addresses, that say what was set there.
    virtual std::vector<std::string> configuration() { return {}; }
    // Whether it talked to servers alone that its team allowed.
    virtual bool is_limited() { return false; }
    virtual std::vector<KeyFinding> keys() = 0;  // of the actors here, some hundred at most
    virtual void check_secrets() {}              // throws Unsuitable: a key of the source opens nothing
    virtual std::vector<std::string> some_files(std::size_t most) = 0;  // as they are named in the source
    // In this order.
    virtual std::vector<Step> steps(const base::Site&, const Files&, const Choice&) = 0;
    virtual std::int64_t rows(const std::string& table) = 0;
    // How many there are to be of what is counted in the end (settle.hpp, counted).
    virtual std::vector<std::pair<std::string, std::int64_t>> expected() = 0;
    // Of people and of posts that were written here, so many at most.
    virtual Samples samples(std::size_t most) = 0;
    // Whether the steps put the direct conversations; else they are made of the posts (settle.hpp).
    virtual bool has_conversations() const { return true; }

protected:
    // Throws Unsuitable where the last migration is not from `oldest` to `newest`, which are of `versions` ("4.3 to 4.7").
    void expect_version(
        const std::string& last, std::string_view oldest, std::string_view newest, std::string_view versions
    ) const;

private:
    bool newer_will_do_ = false;
};

// What the configuration of the server of before says.
using Settings = std::map<std::string, std::string>;
// Out of its text: KEY=value, or `key: value`, without quotes and comments. Other lines are passed over.
Settings settings_of(std::string_view text);

// Which program it is, by its tables. Throws Unsuitable. The database outlives the source.
std::unique_ptr<Source> recognise(db::Foreign&, const Settings& old_settings);

namespace mastodon {
bool is_one(db::Foreign&);
std::unique_ptr<Source> open(db::Foreign&, const Settings& old_settings);
}  // namespace mastodon

namespace gotosocial {
bool is_one(db::Foreign&);
std::unique_ptr<Source> open(db::Foreign&, const Settings& old_settings);
}  // namespace gotosocial

namespace pleroma {  // and Akkoma, which came out of it
bool is_one(db::Foreign&);
std::unique_ptr<Source> open(db::Foreign&, const Settings& old_settings);
}  // namespace pleroma

namespace hollo {
bool is_one(db::Foreign&);
std::unique_ptr<Source> open(db::Foreign&, const Settings& old_settings);
}  // namespace hollo

}  // namespace takeover
