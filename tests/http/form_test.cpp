// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/form.hpp"

#include "http/body/read_params.hpp"
#include "http/body/urlencoded.hpp"

#include <gtest/gtest.h>

namespace {

BOOST_DEFINE_ENUM_CLASS(Visibility, public_, unlisted, private_, direct)

struct Poll {
    std::vector<std::string> options;
    int expires_in = 0;
    bool multiple = false;
};
DESCRIBE(Poll, options, expires_in, multiple)

struct Post {
    std::string status;
    std::optional<base::StatusId> in_reply_to_id;
    std::optional<std::vector<base::MediaId>> media_ids;
    std::optional<Poll> poll;
    std::optional<bool> sensitive;
    std::optional<std::string> spoiler_text;
    std::optional<Visibility> visibility;
    std::optional<base::Time> scheduled_at;
};
DESCRIBE(Post, status, in_reply_to_id, media_ids, poll, sensitive, spoiler_text, visibility, scheduled_at)

struct Field {
    std::string name, value;
};
DESCRIBE(Field, name, value)

struct Source {
    std::optional<Visibility> privacy;
    bool sensitive = true;
};
DESCRIBE(Source, privacy, sensitive)

struct Profile {
    std::optional<std::vector<Field>> fields_attributes;
    Source source;
    std::optional<http::Upload> avatar;
    std::optional<base::Date> date_of_birth;
};
DESCRIBE(Profile, fields_attributes, source, avatar, date_of_birth)

struct Page {
    http::Limit<20, 40> limit;
    std::optional<base::StatusId> max_id;
    std::uint8_t small = 7;
    double x = 0;
    bool flag = true;
    std::vector<base::AccountId> id;
    bool register_ = false;
    std::map<std::string, bool> alerts;
};
DESCRIBE(Page, limit, max_id, small, x, flag, id, register_, alerts)

struct Medium {
    int id = 0;
    std::optional<http::TextOrNull> description;
};
DESCRIBE(Medium, id, description)

struct Album {
    std::optional<http::TextOrNull> title;
    Medium first;
    std::optional<std::vector<Medium>> all;
};
DESCRIBE(Album, title, first, all)

struct ById {
    base::StatusId id;
};
DESCRIBE(ById, id)

struct Strict {
    http::Required<std::string> spoiler_text;
    http::Param<base::StatusId> status_id;
    http::Required<std::vector<base::AccountId>> account_ids;
};
DESCRIBE(Strict, spoiler_text, status_id, account_ids)

http::Params query(std::string_view text) {
    http::Params out;
    http::read_urlencoded(text, out);
    return out;
}

http::Params json(std::string_view text) {
    http::Params out;
    http::read_json(text, out);
    return out;
}

template <class Form>
Form form(std::string_view text) {
    return http::read_form<Form>(text.starts_with('{') ? json(text) : query(text));
}

template <class Error, class F>
std::string refusal(F f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<std::int64_t> numbers(const auto& ids) {
    std::vector<std::int64_t> out;
    for (auto id : ids) out.push_back(id.value);
    return out;
}

TEST(Form, reads_scalars_by_the_rules_of_their_types) {
    struct {
        const char* text;
        int limit;
        std::int64_t max_id;  // -1: not given
        int small;
        double x;
        bool flag;
    } rows[] = {
        {"", 20, -1, 7, 0, true},
        {"limit=&max_id=&small=&x=&flag=", 20, -1, 7, 0, true},
        {"limit=0&max_id=12&small=12&x=-0.5&flag=0", 0, 12, 12, -0.5, false},
        {"limit=-5&max_id=garbage&small=x&x=nan&flag=FALSE", 5, 0, 0, 0, false},
        {"limit=999&max_id=2024-01-02T03:04:05.678Z&small=300&x=1.5abc&flag=off", 40, 2024, 255, 1.5, false},
        {"limit=-9223372036854775808&max_id=99999999999999999999&small=-4&x=inf&flag=no",
         40,
         9223372036854775807,
         0,
         0,
         true},
        {"limit=abc&max_id=+7&small=%203&x=+.25&flag=F", 0, 7, 3, .25, false},
        {"limit=1&limit=2&flag=f", 2, -1, 7, 0, false},
        {"limit&max_id&flag", 20, -1, 7, 0, true},
        {R"({"limit":7,"max_id":"8","small":9.0,"x":1e-1,"flag":false})", 7, 8, 9, .1, false},
        {R"({"limit":null,"max_id":null,"small":1e300,"flag":true})", 20, -1, 255, 0, true},
        {R"({"limit":[3],"max_id":{"a":1}})", 20, -1, 7, 0, true},
    };
    for (const auto& row : rows) {
        auto page = form<Page>(row.text);
        EXPECT_EQ(*page.limit, row.limit) << row.text;
        EXPECT_EQ(page.max_id ? page.max_id->value : -1, row.max_id) << row.text;
        EXPECT_EQ(page.small, row.small) << row.text;
        EXPECT_EQ(page.x, row.x) << row.text;
        EXPECT_EQ(page.flag, row.flag) << row.text;
    }
}

TEST(Form, reads_lists_of_scalars_in_every_shape) {
    struct {
        const char* text;
        std::vector<std::int64_t> ids;
    } rows[] = {
        {"id[]=1&id[]=2", {1, 2}},
        {"id%5B%5D=1&id%5B%5D=2", {1, 2}},
        {"id[0]=1&id[1]=2", {1, 2}},
        {"id=1&id=2", {1, 2}},
        {"id=1", {1}},
        {"id=", {}},
        {"id[]=", {}},
        {"id[]=&id[]=x", {0}},
        {"id[a][b]=1&idx=2&id[=3", {}},
        {R"({"id":["1",2,null]})", {1, 2}},
        {R"({"id":"1"})", {1}},
        {R"({"id":{"0":"5","1":"6"}})", {5, 6}},
        {R"({"id":[]})", {}},
    };
    for (const auto& row : rows) EXPECT_EQ(numbers(form<Page>(row.text).id), row.ids) << row.text;
}

TEST(Form, tells_an_empty_list_from_none) {
    EXPECT_FALSE(form<Post>("status=a").media_ids);
    EXPECT_FALSE(form<Post>("media_ids=").media_ids);
    EXPECT_FALSE(form<Post>(R"({"media_ids":null})").media_ids);
    EXPECT_EQ(form<Post>(R"({"media_ids":[]})").media_ids->size(), 0u);
    EXPECT_EQ(form<Post>("media_ids[]=").media_ids->size(), 0u);
    EXPECT_EQ(form<Profile>(R"({"fields_attributes":[]})").fields_attributes->size(), 0u);
    EXPECT_EQ(form<Profile>("fields_attributes[]=").fields_attributes->size(), 0u);
    EXPECT_FALSE(form<Profile>("fields_attributes=").fields_attributes);
}

TEST(Form, reads_lists_of_objects_in_every_shape) {
    for (const char* text :
         {"fields_attributes[0][name]=a&fields_attributes[0][value]=1&fields_attributes[1][name]=b&"
          "fields_attributes[1][value]=2",
          "fields_attributes[0][name]=a&fields_attributes[1][name]=b&fields_attributes[0][value]=1&"
          "fields_attributes[1][value]=2",
          "fields_attributes[][name]=a&fields_attributes[][value]=1&fields_attributes[][name]=b&"
          "fields_attributes[][value]=2",
          R"({"fields_attributes":[{"name":"a","value":"1"},{"name":"b","value":2}]})",
          R"({"fields_attributes":{"0":{"name":"a","value":"1"},"1":{"name":"b","value":"2"}}})"}) {
        auto fields = form<Profile>(text).fields_attributes.value();
        ASSERT_EQ(fields.size(), 2u) << text;
        EXPECT_EQ(fields[0].name + fields[0].value + fields[1].name + fields[1].value, "a1b2") << text;
    }
}

TEST(Form, reads_what_clients_post) {
    for (const char* text :
         {R"({"status":"hi","media_ids":["1","2"],"poll":{"options":["a","b"],"expires_in":300,)"
          R"("multiple":true},"visibility":"public","sensitive":false,"spoiler_text":"",)"
          R"("in_reply_to_id":null,"scheduled_at":null})",
          "status=hi&media_ids[]=1&media_ids[]=2&poll[options][]=a&poll[options][]=b&poll[expires_in]=300&"
          "poll[multiple]=true&visibility=public&sensitive=false&spoiler_text=&in_reply_to_id=&scheduled_at=",
          "status=hi&media_ids%5B0%5D=1&media_ids%5B1%5D=2&poll%5Boptions%5D%5B0%5D=a&poll[options][1]=b&"
          "poll[expires_in]=300&poll[multiple]=1&visibility=public&sensitive=off&spoiler_text="}) {
        auto post = form<Post>(text);
        EXPECT_EQ(post.status, "hi") << text;
        EXPECT_EQ(numbers(*post.media_ids), (std::vector<std::int64_t>{1, 2})) << text;
        ASSERT_TRUE(post.poll) << text;
        EXPECT_EQ(post.poll->options, (std::vector<std::string>{"a", "b"})) << text;
        EXPECT_EQ(post.poll->expires_in, 300) << text;
        EXPECT_TRUE(post.poll->multiple) << text;
        EXPECT_EQ(post.visibility, Visibility::public_) << text;
        EXPECT_EQ(post.sensitive, false) << text;
        EXPECT_EQ(post.spoiler_text, "") << text;
        EXPECT_FALSE(post.in_reply_to_id || post.scheduled_at) << text;
    }
    EXPECT_FALSE(form<Post>("poll=").poll);
    EXPECT_FALSE(form<Post>(R"({"poll":null})").poll);
    EXPECT_FALSE(form<Post>(R"({"poll":{"options":null}})").poll);
    EXPECT_EQ(form<Post>(R"({"poll":{"options":null,"expires_in":5}})").poll->options.size(), 0u);
}

TEST(Form, takes_null_for_an_empty_text_where_it_is_one) {
    auto empty =
        form<Album>(R"({"title":null,"first":{"description":null},"all":[{"id":2,"description":null}]})");
    for (const auto& text : {empty.title, empty.first.description, empty.all->at(0).description})
        EXPECT_EQ(http::text_of(text), "");
    EXPECT_EQ(empty.all->at(0).id, 2);
    auto none = form<Album>(R"({"all":[{"id":null,"description":null},null]})");
    EXPECT_FALSE(none.title || none.first.description);
    EXPECT_EQ(none.all->size(), 0u) << "given, and empty";
    EXPECT_FALSE(form<Album>(R"({"all":null})").all);
}

TEST(Form, reads_nested_structs_maps_and_dates) {
    auto profile =
        form<Profile>("source[privacy]=private&source[sensitive]=0&date_of_birth=2000-02-29&avatar=undefined"
        );
    EXPECT_EQ(profile.source.privacy, Visibility::private_);
    EXPECT_FALSE(profile.source.sensitive);
    EXPECT_EQ(base::to_string(*profile.date_of_birth), "2000-02-29");
    EXPECT_FALSE(profile.avatar);
    EXPECT_TRUE(form<Profile>("").source.sensitive);

    auto page = form<Page>(R"({"alerts":{"admin.sign_up":true,"mention":"0","x":{"y":1}},"register":true})");
    EXPECT_EQ(page.alerts, (std::map<std::string, bool>{{"admin.sign_up", true}, {"mention", false}}));
    EXPECT_TRUE(page.register_);
}

TEST(Form, takes_a_path_id_only_when_decimal) {
    EXPECT_EQ(form<ById>("id=0123").id.value, 123);
    for (const char* text :
         {"", "id=", "id=x", "id=1x", "id=-1", "id=%2B1", "id= 1", "id=9223372036854775808"})
        EXPECT_THROW(form<ById>(text), base::NotFound) << text;
}

TEST(Form, says_what_is_wrong) {
    using base::BadRequest, base::Invalid;
    auto strict = [](const char* text) { return [=] { form<Strict>(text); }; };
    auto post = [](const char* text) { return [=] { form<Post>(text); }; };
    const char* blank = "Validation failed: Spoiler text can't be blank";
    const char* missing = "param is missing or the value is empty or invalid: status_id";
    EXPECT_EQ(refusal<Invalid>(strict("")), blank);
    EXPECT_EQ(refusal<Invalid>(strict("spoiler_text=%20%0A")), blank);
    EXPECT_EQ(refusal<BadRequest>(strict("spoiler_text=a")), missing);
    EXPECT_EQ(refusal<BadRequest>(strict("spoiler_text=a&status_id=")), missing);
    EXPECT_EQ(
        refusal<Invalid>(strict("spoiler_text=a&status_id=1&account_ids[]=")),
        "Validation failed: Account ids can't be blank"
    );
    EXPECT_EQ(refusal<Invalid>(strict("spoiler_text=a&status_id=1&account_ids[]=1")), "accepted");
    EXPECT_EQ(
        refusal<Invalid>(post("visibility=x")), "Validation failed: Visibility is not included in the list"
    );
    EXPECT_EQ(
        refusal<Invalid>(post("visibility=public_")),
        "Validation failed: Visibility is not included in the list"
    );
    EXPECT_EQ(refusal<Invalid>(post("scheduled_at=tomorrow")), "Invalid date supplied");
    EXPECT_EQ(refusal<Invalid>(post("visibility=&scheduled_at=")), "accepted");
}

TEST(Form, reads_thousands_of_items) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "fields_attributes[][name]=a&fields_attributes[][value]=b&";
    auto params = query(text);
    EXPECT_EQ(http::read_form<Profile>(params).fields_attributes->size(), 5000u);
}

}  // namespace
