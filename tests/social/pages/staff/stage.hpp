// SPDX-License-Identifier: AGPL-3.0-or-later
// Members of the team with this or that permission in browsers without JavaScript, and somebody who was reported.
#pragma once
#include "http/body/urlencoded.hpp"
#include "server/staff_routes.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/domain_block.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/audit.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/oauth/stage.hpp"
#include "social/pages/staff/staff_page.hpp"

namespace staff_test {

using namespace oauth_test;
namespace permission = accounts::permission;

inline bool has(const http::Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
}

struct StaffStage : Stage {
    base::UserId owner = user("root", accounts::owner), alice = user("alice"), bad = user("bad");
    base::AccountId bad_account = account_of(bad);
    moderation::ReportId report = complain("look at this");
    std::string desk = "/settings/moderation", reports = desk + "/reports", servers = desk + "/servers",
                sign_ups = desk + "/sign_ups", one = reports + "/" + std::to_string(report.value);

    base::AccountId account_of(base::UserId id) {
        return read([&](db::Read& db) { return accounts::user(db, id).account_id; });
    }
    moderation::ReportId complain(const std::string& comment) {
        moderation::Complaint complaint;
        complaint.target = bad_account;
        complaint.category = moderation::Category::spam;
        complaint.comment = comment;
        auto by = account_of(alice);
        return write([&](db::Write& db) {
            return moderation::report(db, statuses::audience(db, by), complaint);
        });
    }
    base::RoleId role_with(std::int64_t permissions, std::int64_t position = 500) {
        return write([&](db::Write& db) {
            accounts::RoleForm form;
            form.name = "Role " + std::to_string(permissions) + " " + std::to_string(position);
            form.permissions = permissions;
            form.position = position;
            return accounts::create_role(db, accounts::the_operator(), form);
        });
    }
    // Signed in as somebody new with this role.
    std::unique_ptr<Browser> member(
        const std::string& name, std::int64_t permissions, std::int64_t position = 500
    ) {
        user(name, role_with(permissions, position));
        auto out = std::make_unique<Browser>(*this);
        out->sign_in(name);
        return out;
    }
    // With the proof that every form of their account has.
    static http::Response send(Browser& who, const std::string& target, Fields fields = {}) {
        return who.submit(target, who.get("/settings/account"), std::move(fields));
    }
    moderation::AdminReportRow row() {
        return read([&](db::Read& db) { return moderation::admin_report(db, report); });
    }
    std::vector<std::string> logged() {
        std::vector<std::string> out;
        for (const auto& entry : read([](db::Read& db) { return moderation::audit_entries(db, {}, {}); }))
            out.push_back(entry.action + " " + entry.target_kind);
        return out;
    }
    bool noted(const std::string& entry) {
        auto all = logged();
        return std::ranges::find(all, entry) != all.end();
    }
    std::vector<instance::AdminDomainBlock> blocks() {
        return read([](db::Read& db) { return instance::all_domain_blocks(db); });
    }
    moderation::AdminAccount target() {
        return read([&](db::Read& db) { return moderation::admin_account(db, bad_account); });
    }
    base::AccountId waiting(const std::string& name) {
        accounts::NewUser form;
        form.username = name;
        form.email = name + "@example.com";
        form.password_hash = "hash";
        form.confirmed = true;
        form.approved = false;
        form.reason = "I like <birds>";
        return account_of(write([&](db::Write& db) { return accounts::create_user(db, form); }));
    }
};

}  // namespace staff_test
