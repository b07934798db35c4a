// SPDX-License-Identifier: AGPL-3.0-or-later
// Writing a post: files are attached first by the same form, which is then shown again with everything typed;
// then the post is published. So a refusal of either loses nothing.
#include "base/crypto.hpp"
#include "http/body/urlencoded.hpp"
#include "http/form_page.hpp"
#include "sandbox/media_job.hpp"
#include "server/web/plain/form.hpp"

#include <algorithm>

namespace server::plain {

namespace {

using instance::View;
using pages::Shown;

struct Draft {
    std::string authenticity_token, return_to, idempotency_key, in_reply_to_id, status, spoiler_text,
        visibility, description, expires_in;
    bool sensitive = false, multiple = false;
    std::vector<std::string> media_ids, options;
    std::optional<http::Upload> file;
};
DESCRIBE(
    Draft, authenticity_token, return_to, idempotency_key, in_reply_to_id, status, spoiler_text, visibility,
    description, expires_in, sensitive, multiple, media_ids, options, file
)

// ---- the page ----

struct Mention {
    std::string acct;
};
DESCRIBE(Mention, acct)
struct Parent {
    std::vector<Mention> mentions;
};
DESCRIBE(Parent, mentions)
struct Preferences {
    std::string visibility = "public";
};
DESCRIBE(Preferences, visibility)
struct Source {
    std::string privacy = "public";
    bool sensitive = false;
};
DESCRIBE(Source, privacy, sensitive)
struct Me {
    std::string acct;
    Source source;
};
DESCRIBE(Me, acct, source)

constexpr std::size_t most_options = 4;

constexpr std::pair<std::string_view, std::string_view> visibilities[] = {
    {"public", "Everybody"},
    {"unlisted", "Everybody, but in no public list"},
    {"private", "My followers"},
    {"direct", "Only those I mention"},
};
constexpr std::pair<std::string_view, std::string_view> durations[] = {
    {"3600", "An hour"}, {"86400", "A day"}, {"259200", "Three days"}, {"604800", "A week"}
};

void add_choices(
    View& view, std::string_view section, std::span<const std::pair<std::string_view, std::string_view>> all,
    std::string_view chosen
) {
    for (auto [value, name] : all)
        view.add(section).set("VALUE", value).say("NAME", name).show_if(value == chosen, "CHOSEN");
}

// Mentions the author and everybody the post mentions, except oneself.
void begin_reply(const Reading& reading, const Me& me, const Shown& parent, Draft& draft) {
    auto named = reading.get<Parent>("/api/v1/statuses/" + parent.id).mentions;
    named.insert(named.begin(), {parent.account.acct});
    std::vector<std::string> once;
    for (const auto& one : named) {
        if (one.acct == me.acct || std::ranges::count(once, one.acct) > 0) continue;
        once.push_back(one.acct);
        draft.status += "@" + one.acct + " ";
    }
    draft.spoiler_text = parent.spoiler_text;
    // Not visible to anybody who could not read the original post.
    auto place = [](std::string_view word) {
        return std::ranges::find(visibilities, word, &std::pair<std::string_view, std::string_view>::first) -
               std::begin(visibilities);
    };
    if (place(parent.visibility) > place(draft.visibility)) draft.visibility = parent.visibility;
}

void add_media(const Reading& reading, View& view, const Draft& draft) {
    constexpr std::size_t most_shown = 16;  // whatever was submitted
    for (const auto& id : std::span(draft.media_ids).first(std::min(draft.media_ids.size(), most_shown))) {
        try {
            auto medium = reading.get<pages::ShownMedium>("/api/v1/media/" + http::percent_encoded(id));
            auto& one = view.add("MEDIUM").set("MEDIUM_ID", medium.id);
            one.set("TEXT", medium.description.value_or(""));
            if (medium.preview_url) one.add("PICTURE").set("URL", *medium.preview_url);
        } catch (const base::Error&) {}  // it no longer exists, or never did
    }
    auto most = static_cast<std::size_t>(reading.site().max_media);
    view.show_if(draft.media_ids.size() < most, "MAY_ATTACH");
}

View view_of(const Reading& reading, const Draft& draft) {
    View view;
    if (!draft.in_reply_to_id.empty()) {
        auto parent = reading.get<Shown>("/api/v1/statuses/" + http::percent_encoded(draft.in_reply_to_id));
        view.add("PARENT").set("REPLIED_ID", parent.id);
        pages::add_post(view, parent, reading.site())
            .set("PROFILE", address_of(parent.account))
            .set("URL", address_of(parent));
    }
    view.set("RETURN_TO", draft.return_to).set("KEY", draft.idempotency_key);
    view.set("STATUS", draft.status).set("WARNING", draft.spoiler_text);
    view.set("MOST", std::to_string(reading.site().max_characters));
    add_choices(view, "VISIBILITY", visibilities, draft.visibility);
    add_media(reading, view, draft);
    view.show_if(draft.sensitive, "SENSITIVE").show_if(draft.multiple, "MULTIPLE");
    bool asks = std::ranges::any_of(draft.options, [](const auto& text) { return !text.empty(); });
    view.show_if(asks, "ASKS").set("DESCRIPTION", draft.description);
    for (std::size_t i = 0; i < most_options; ++i)
        view.add("OPTION_FIELD")
            .set("NUMBER", std::to_string(i + 1))
            .set("TEXT", i < draft.options.size() ? draft.options[i] : "");
    add_choices(view, "DURATION", durations, draft.expires_in.empty() ? "86400" : draft.expires_in);
    return view;
}

// The field that an error message is also shown next to.
std::string_view field_of(std::string_view problem, bool attaching) {
    if (attaching || problem.find("attach") != problem.npos) return "AT_FILE";
    if (problem.find("Poll") != problem.npos || problem.find("Option") != problem.npos) return "AT_POLL";
    return problem.find("Text") != problem.npos ? "AT_TEXT" : "";
}

http::Response show(
    const base::Site& site, const oauth::Visitor& who, bool replies, View view, bool attaching,
    std::string_view problem
) {
    if (!problem.empty())
        if (auto field = field_of(problem, attaching); !field.empty()) view.add(field).say("SAID", problem);
    return page(
        site,
        who,
        {"plain_compose", replies ? "Write a reply" : "Write a post", replies ? "" : "/compose"},
        std::move(view),
        problem
    );
}

http::Response show(
    const Reading& reading, const Draft& draft, bool attaching = false, std::string_view problem = {}
) {
    return show(
        reading.site(),
        reading.who,
        !draft.in_reply_to_id.empty(),
        view_of(reading, draft),
        attaching,
        problem
    );
}

// ---- submitting the form ----

struct Posting {
    std::optional<http::Response> answer;
    std::optional<OwnCall> call;
    Draft draft;
};

OwnCall upload_of(const Reading& reading, const Draft& draft) {
    http::Params params;
    if (draft.file) params.add_upload("file", *draft.file);
    params.add("description", draft.description);
    return {reading.known, http::Method::post, "/api/v2/media", std::move(params)};
}

OwnCall post_of(const Reading& reading, const Draft& draft) {
    http::Params params;
    auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) params.add(name, value);
    };
    params.add("status", draft.status);
    add("spoiler_text", draft.spoiler_text);
    add("visibility", draft.visibility);
    add("in_reply_to_id", draft.in_reply_to_id);
    params.add("sensitive", draft.sensitive ? "true" : "false");
    for (const auto& id : draft.media_ids) params.add("media_ids[]", id);
    bool asks = false;
    for (const auto& option : draft.options) {
        if (option.empty()) continue;
        params.add("poll[options][]", option);
        asks = true;
    }
    if (asks) {
        params.add("poll[expires_in]", draft.expires_in);
        if (draft.multiple) params.add("poll[multiple]", "true");
    }
    return {
        reading.known,
        http::Method::post,
        "/api/v1/statuses",
        std::move(params),
        {{"Idempotency-Key", draft.idempotency_key}}
    };
}

http::FormPage answered(http::Response response) {
    return {{}, Posting{std::move(response), std::nullopt, {}}};
}

constexpr std::string_view not_attached =
    "The file has not been attached yet: choose it again and press “Attach”.";

template <bool Attaching>
http::FormPage prepare(
    const base::Ask& ask, db::Read& db, const std::optional<http::Viewer>&, const http::Request& request,
    const Draft& draft
) {
    auto from = sender(db, ask, request, {draft.authenticity_token, draft.return_to});
    if (from.answer) return answered(*std::move(from.answer));
    const auto& reading = *from.reading;
    if (!Attaching && draft.file) return answered(show(reading, draft, true, not_attached));
    auto call = Attaching ? upload_of(reading, draft) : post_of(reading, draft);
    try {
        call.prepare(db, ask);
    } catch (const base::Invalid& error) {
        return answered(show(reading, draft, Attaching, error.what()));
    }
    auto again = [site = db.site(),
                  who = reading.who,
                  replies = !draft.in_reply_to_id.empty(),
                  view = view_of(reading, draft)](std::string_view problem) {
        return show(site, who, replies, view, Attaching, problem);
    };
    return {std::move(again), Posting{std::nullopt, std::move(call), draft}};
}

http::Made<base::StatusId> act(db::Write& db, const http::FormPage& form) {
    const auto& posting = *std::any_cast<Posting>(&form.what);
    if (posting.answer) return {{}, false};
    auto call = *posting.call;
    call.act(db);
    return {{call.id()}, call.created()};
}

struct ById {
    std::int64_t id = 0;
};
DESCRIBE(ById, id)

// If a rule refuses the post, show() reports that here; what was created is kept.
template <bool Attaching>
http::Response show_done(
    const base::Ask& ask, db::Read& db, const http::Request& request, const http::FormPage& form,
    const ById& made
) {
    auto posting = *std::any_cast<Posting>(&form.what);
    if (posting.answer) return *std::move(posting.answer);
    auto& draft = posting.draft;
    posting.call->use_id(made.id);
    posting.call->show(db, ask);
    if (!Attaching) return back_to(draft.return_to);
    draft.media_ids.push_back(std::to_string(made.id));
    draft.description.clear();
    draft.file.reset();
    auto found = reading(db, ask, request);
    return found ? show(*found, draft) : back_to({});
}

// For reloading the URL that a refused post leaves in the browser.
http::Response begin_anew(db::Read&) { return oauth::redirect("/compose"); }

// Allows for a file slightly too large plus the text, so that the error message can be shown.
constexpr std::uint64_t body = sandbox::limits::video_bytes + (2 << 20);

// clang-format off
constexpr http::Route table[] = {
    http::post<prepare<false>, act, show_done<false>>("/plain/compose").throttled(http::Throttle::statuses_family).body_limit(body).files_of(oauth::is_signed_in),
    http::get<begin_anew>("/plain/compose"),
    http::get<begin_anew>("/plain/media"),
    http::post<prepare<true>, act, show_done<true>>  ("/plain/media").throttled(http::Throttle::media).body_limit(body).files_of(oauth::is_signed_in),
};
// clang-format on

}  // namespace

http::Response compose(const Reading& reading) {
    auto me = reading.get<Me>("/api/v1/accounts/verify_credentials");
    Draft draft;
    draft.idempotency_key = base::random_token();
    draft.visibility = me.source.privacy;
    draft.sensitive = me.source.sensitive;
    draft.in_reply_to_id = reading.query("in_reply_to_id");
    draft.return_to = "/home";
    for (auto name : {"text", "title", "url"})  // from a share target
        if (auto given = reading.query(name); !given.empty())
            draft.status += (draft.status.empty() ? "" : " ") + given;
    if (!draft.in_reply_to_id.empty()) {
        auto parent = reading.get<Shown>("/api/v1/statuses/" + http::percent_encoded(draft.in_reply_to_id));
        begin_reply(reading, me, parent, draft);
        draft.return_to = address_of(parent);
    }
    return show(reading, draft);
}

std::span<const http::Route> compose_routes() { return table; }

}  // namespace server::plain
