// SPDX-License-Identifier: AGPL-3.0-or-later
// Another server, as far as it can be played without one: people whose documents the internet of the stage shows, and
// who sign what they bring to an inbox.
#pragma once
#include "ap/signatures/signature.hpp"
#include "internet.hpp"
#include "world.hpp"

class Peer {
public:
    // Nobody here knows them yet; their documents are there to be fetched.
    Peer(World&, const std::string& name = "bob", const std::string& host = "far.example");

    std::string name, host, uri, key_id;
    base::AccountId id;  // once known

    Peer& known();                                        // here, with their key
    void publish(const std::string& members = "") const;  // the actor document, with more members
    void signs_with_another_key() { other_key_ = true; }

    std::string follow(const std::string& target, const std::string& number = "1") const;  // activities
    std::string undo(const std::string& activity) const;
    std::string like(const std::string& status, const std::string& number = "1") const;
    std::string note(
        const std::string& number, const std::string& text, const std::string& more = "",
        const std::string& to = "\"https://www.w3.org/ns/activitystreams#Public\""
    ) const;
    std::string note_id(const std::string& number) const { return "https://" + host + "/notes/" + number; }
    std::string create(const std::string& note, const std::string& number) const;
    std::string activity(
        const std::string& type, const std::string& object, const std::string& number,
        const std::string& more = ""
    ) const;

    // Signed by this person, whoever the body says acts.
    Answer brings(const std::string& body, const std::string& inbox = "/inbox") const;
    Answer sends(http::Request) const;
    http::Request request(const std::string& body, const std::string& inbox = "/inbox") const;
    Answer gets(const std::string& target) const;  // signed

private:
    const ap::PrivateKey& key() const;
    std::string document(const std::string& members) const;

    World* world_;
    bool other_key_ = false;
};

// The ActivityPub ids of what is here.
std::string uri_of(World&, const Person&);
std::string uri_of(World&, const std::string& status);
