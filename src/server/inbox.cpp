// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/tables.hpp"

#include "social/federation/inbox/incoming_collections.hpp"
#include "social/federation/inbox/incoming_posts.hpp"
#include "social/federation/inbox/incoming_quotes.hpp"
#include "social/federation/inbox/incoming_replies.hpp"
#include "social/federation/relays/relay.hpp"
#include "social/moderation/report_ap.hpp"
#include "social/relationships/follow_ap.hpp"
#include "social/statuses/interactions/interactions_ap.hpp"

namespace server {

using federation::on;

// clang-format off
federation::Handlers inbox() {
    return {
        on<federation::relay_follow,       federation::take_relay_follow>        ("Follow"),
        on<federation::relay_answer,       federation::take_relay_answer>        ("Accept",   "Follow"),
        on<federation::relay_answer,       federation::take_relay_answer>        ("Reject",   "Follow"),
        on<federation::relayed_post,       federation::take_relayed>             ("Announce"),

        on<relationships::follow_wanted,   relationships::take_follow>           ("Follow").beside_others(),
        on<relationships::followed_actor,  relationships::take_accept>           ("Accept",   "Follow").beside_others(),
        on<relationships::followed_actor,  relationships::take_reject>           ("Reject",   "Follow"),
        on<relationships::undone_follow,   relationships::take_undo_follow>      ("Undo",     "Follow").beside_others(),
        on<relationships::undone_accept,   relationships::take_undo_accept>      ("Undo",     "Accept"),
        on<relationships::block_wanted,    relationships::take_block>            ("Block"),
        on<relationships::undone_block,    relationships::take_undo_block>       ("Undo",     "Block"),

        on<statuses::liked_status,         statuses::take_like>                  ("Like").beside_others(),
        on<statuses::liked_status,         statuses::take_like>                  ("EmojiReact").beside_others(),
        on<statuses::unliked_status,       statuses::take_undo_like>             ("Undo",     "Like").beside_others(),
        on<statuses::unliked_status,       statuses::take_undo_like>             ("Undo",     "EmojiReact").beside_others(),
        on<statuses::unboosted_status,     statuses::take_undo_announce>         ("Undo",     "Announce"),
        on<statuses::vote_on_status,       statuses::take_vote>                  ("Create",   "Note"),

        on<federation::quote_wanted,       federation::take_quote_request>       ("QuoteRequest"),
        on<federation::allowed_quote,      federation::take_quote_authorization> ("Accept",   "QuoteRequest"),
        on<federation::refused_quote,      federation::take_refusal>             ("Reject",   "QuoteRequest"),
        on<federation::reply_wanted,       federation::take_reply_request>       ("ReplyRequest"),
        on<federation::allowed_reply,      federation::take_reply_authorization> ("Accept"),
        on<federation::revoked_reply,      federation::take_reply_end>           ("Delete",   "ReplyAuthorization"),
        on<statuses::rejected_interaction, statuses::take_rejection>             ("Reject"),
        on<federation::revoked_quote,      federation::take_refusal>             ("Delete",   "QuoteAuthorization"),

        on<federation::feature_wanted,     federation::take_feature_request>     ("FeatureRequest"),
        on<federation::consented_feature,  federation::take_consent>             ("Accept",   "FeatureRequest"),
        on<federation::refused_feature,    federation::take_feature_end>         ("Reject",   "FeatureRequest"),
        on<federation::revoked_feature,    federation::take_feature_end>         ("Delete",   "FeatureAuthorization"),
        on<federation::added_collection,   federation::take_collection>          ("Add"),
        on<federation::added_item,         federation::take_item>                ("Add"),
        on<federation::removed_collection, federation::take_collection_end>      ("Remove"),
        on<federation::removed_item,       federation::take_item_end>            ("Remove"),
        on<federation::updated_collection, federation::take_collection>          ("Update",   "FeaturedCollection"),
        on<federation::deleted_collection, federation::take_collection_end>      ("Delete",   "post"),

        on<federation::created_post,       federation::take_post>                ("Create").beside_others(),
        on<federation::updated_actor,      federation::take_profile>             ("Update",   "actor"),
        on<federation::updated_post,       federation::take_edit>                ("Update",   "post"),
        on<federation::deleted_actor,      federation::take_account_deletion>    ("Delete",   "actor"),
        on<federation::deleted_post,       federation::take_end>                 ("Delete",   "post"),
        on<federation::announced_change,   federation::take_change>              ("Announce"),
        on<federation::announced_post,     federation::take_boost>               ("Announce").beside_others(),
        on<federation::pinned_post,        federation::take_pin>                 ("Add"),
        on<federation::unpinned_post,      federation::take_unpin>               ("Remove"),
        on<federation::moved_actor,        federation::take_move>                ("Move"),

        on<moderation::flagged,            moderation::take_flag>                ("Flag"),
    };
}
// clang-format on

}  // namespace server
