// SPDX-License-Identifier: AGPL-3.0-or-later
// Whatever is in a query, reading a form from it ends in a form or in one of our refusals.
#include "http/body/urlencoded.hpp"
#include "http/form.hpp"

#include <cstdlib>

namespace {

BOOST_DEFINE_ENUM_CLASS(Word, public_, a, b)

struct Deep {
    std::optional<base::MediaId> id;
    std::vector<std::string> l;
    std::optional<Word> w;
};
DESCRIBE(Deep, id, l, w)

struct Form {
    std::string s;
    std::optional<bool> b;
    std::optional<int> i;
    std::uint8_t u = 0;
    double d = 0;
    http::Limit<20, 40> n;
    std::optional<base::Time> t;
    std::optional<base::Date> y;
    std::vector<base::AccountId> v;
    std::vector<Deep> o;
    std::optional<Deep> p;
    std::map<std::string, int> m;
    std::optional<http::Upload> f;
};
DESCRIBE(Form, s, b, i, u, d, n, t, y, v, o, p, m, f)

struct Strict {
    base::AccountId id;
    http::Required<std::string> s;
    http::Param<Deep> p;
};
DESCRIBE(Strict, id, s, p)

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
    try {
        http::Params params;
        http::read_urlencoded({data, size}, params);
        if (params.size() > http::Params::max_count) std::abort();
        auto form = http::read_form<Form>(params);
        if (*form.n < 0 || *form.n > 40) std::abort();
        http::read_form<Strict>(params);
    } catch (const base::Error&) {}
    return 0;
}
