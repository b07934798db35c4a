// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/conversations/conversation.hpp"

#include "social/accounts/account_entity.hpp"
#include "social/notifications/attachment.hpp"

#include <algorithm>

namespace conversations {

namespace {

// The other participants, or the owner if there are none.
std::vector<AccountId> shown_people(const Conversation& conversation, AccountId owner) {
    auto people = conversation.others();
    if (people.empty()) people.push_back(owner);
    return people;
}

accounts::RenderedAccounts people_of(db::Read& db, const std::vector<Conversation>& found, AccountId owner) {
    std::vector<AccountId> ids;
    for (const auto& one : found) std::ranges::copy(shown_people(one, owner), std::back_inserter(ids));
    std::vector<accounts::Version> versions;
    for (const auto& row : accounts::accounts(db, ids)) versions.push_back({row.id, row.version});
    return accounts::render(db, versions);
}

}  // namespace

std::vector<ConversationEntity> entities(
    db::Read& db, const statuses::Audience& owner, const std::vector<Conversation>& found
) {
    std::vector<StatusId> ids;
    for (const auto& one : found) ids.push_back(one.last_status_id);
    auto texts = notifications::visible_statuses(db, owner, ids);
    auto people = people_of(db, found, owner.viewer);
    std::vector<ConversationEntity> out;
    for (const auto& one : found) {
        ConversationEntity e{one.id, one.unread, {"["}, {}};
        for (auto id : shown_people(one, owner.viewer)) {
            auto person = people.find(id);
            if (person == people.end()) continue;
            if (e.accounts.text.size() > 1) e.accounts.text += ',';
            person->second->append_to(e.accounts.text, true);
        }
        e.accounts.text += ']';
        if (auto text = texts.find(one.last_status_id); text != texts.end())
            e.last_status = base::json::Raw{text->second};
        out.push_back(std::move(e));
    }
    return out;
}

}  // namespace conversations
