// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/ld/context.hpp"

#include "ap/ld/iri.hpp"
#include "ap/ld/processor.hpp"

#include <mutex>

namespace ap::ld {
namespace {

constexpr std::size_t max_layers = 8;
constexpr std::size_t max_recipes = 64;

// What bundled contexts make, by their addresses in order: most documents begin with the same one or two.
class Recipes {
public:
    ContextPtr find(std::string_view recipe) {
        std::lock_guard lock(mutex_);
        auto found = made_.find(recipe);
        return found == made_.end() ? nullptr : found->second;
    }
    void keep(const std::string& recipe, ContextPtr context) {
        std::lock_guard lock(mutex_);
        if (made_.size() < max_recipes) made_.emplace(recipe, std::move(context));
    }

private:
    std::mutex mutex_;
    std::map<std::string, ContextPtr, std::less<>> made_;
};

Recipes& recipes() {
    static Recipes all;
    return all;
}

}  // namespace

bool Definition::means_the_same(const Definition& other) const {
    auto same_scope = scoped && other.scoped ? *scoped == *other.scoped : !scoped && !other.scoped;
    return same_scope && iri == other.iri && prefix == other.prefix && reverse == other.reverse &&
           containers == other.containers && type == other.type && index == other.index &&
           nest == other.nest && language == other.language && direction == other.direction;
}

ContextPtr Context::initial(std::string_view base) {
    static const ContextPtr without_base = [] {
        auto out = std::make_shared<Context>();
        out->recipe_.emplace();
        return out;
    }();
    if (base.empty()) return without_base;
    auto out = std::make_shared<Context>();
    out->base = out->original_base = base;
    return out;
}

std::shared_ptr<const Definition> Context::look_up(std::string_view term) const {
    for (const auto* layer = this; layer; layer = layer->below_.get())
        if (auto found = layer->own_.find(term); found != layer->own_.end()) return found->second;
    return nullptr;
}

std::map<std::string_view, const Definition*> Context::terms() const {
    std::map<std::string_view, const Definition*> out;
    for (const auto* layer = this; layer; layer = layer->below_.get())
        for (const auto& [term, definition] : layer->own_) out.emplace(term, definition.get());
    std::erase_if(out, [](const auto& entry) { return !entry.second; });
    return out;
}

ContextPtr process(const ContextPtr& active, const boost::json::value& local, Work& work, Processing how) {
    return Processor(active, work, how).process(local);
}

std::optional<std::string> expand_iri(const Context& context, std::string_view word, IriOptions options) {
    return Processor::expand(context, word, options);
}

ContextPtr Processor::process(const boost::json::value& local) {
    if (auto* object = local.if_object())
        if (auto* propagate = object->if_contains("@propagate")) {
            if (!propagate->is_bool()) throw Failure("invalid @propagate value");
            how_.propagate = propagate->get_bool();
        }
    auto before = active_;
    if (auto* list = local.if_array())
        for (const auto& item : *list) apply(item);
    else apply(local);
    if (how_.propagate || before->previous) return active_;
    start();
    result_->previous = before;
    result_->recipe_.reset();
    return result_;
}

// A layer of its own on top of what there is.
void Processor::start() {
    result_ = std::make_shared<Context>();
    result_->base = active_->base;
    result_->original_base = active_->original_base;
    result_->vocabulary = active_->vocabulary;
    result_->language = active_->language;
    result_->direction = active_->direction;
    result_->previous = active_->previous;
    if (active_->layers_ < max_layers) {
        result_->below_ = active_;
        result_->layers_ = active_->layers_ + 1;
        return;
    }
    for (const auto* layer = active_.get(); layer; layer = layer->below_.get()) {
        work_.spend(1 + layer->own_.size() / 4);
        for (const auto& [term, definition] : layer->own_) result_->own_.emplace(term, definition);
    }
}

void Processor::apply(const boost::json::value& local) {
    work_.spend();
    if (local.is_null()) apply_nothing();
    else if (auto* url = local.if_string()) apply_bundled(*url);
    else if (auto* object = local.if_object()) apply_members(*object);
    else throw Failure("invalid local context");
}

void Processor::apply_nothing() {
    if (!how_.override_protected) {
        auto terms = active_->terms();
        work_.spend(terms.size() / 8);
        for (const auto& [term, definition] : terms)
            if (definition->is_protected) throw Failure("invalid context nullification");
    }
    auto previous = active_->previous;
    auto clean = Context::initial(active_->original_base);
    if (!previous) {
        active_ = clean;
        return;
    }
    auto copy = std::make_shared<Context>(*clean);
    copy->previous = previous;
    copy->recipe_.reset();
    active_ = copy;
}

void Processor::apply_bundled(std::string_view url) {
    const auto* local = bundled_context(url);
    if (!local) throw Failure("loading remote context failed");
    std::string recipe;
    if (active_->recipe_) {
        recipe = *active_->recipe_ + std::string(url) + '\n';
        if (auto made = recipes().find(recipe)) {
            active_ = made;
            return;
        }
    }
    Processor inner(active_, work_, {.override_protected = how_.override_protected, .propagate = true});
    inner.inside_bundled_ = true;
    auto made = inner.process(*local);
    if (active_->recipe_ && !how_.override_protected) {
        auto named = std::make_shared<Context>(*made);
        named->recipe_ = recipe;
        recipes().keep(recipe, named);
        made = named;
    }
    active_ = made;
}

void Processor::apply_members(const boost::json::object& local) {
    start();
    if (auto* version = local.if_contains("@version"))
        if (!version->is_number() || version->to_number<double>() != 1.1)
            throw Failure("invalid @version value");
    if (local.contains("@import")) throw Failure("invalid @import value");
    if (auto* base = local.if_contains("@base"); base && !inside_bundled_) read_base(*base);
    if (auto* vocabulary = local.if_contains("@vocab")) read_vocabulary(*vocabulary);
    if (auto* language = local.if_contains("@language")) {
        if (language->is_null()) result_->language.clear();
        else if (auto* text = language->if_string()) result_->language = *text;
        else throw Failure("invalid default language");
    }
    if (auto* direction = local.if_contains("@direction")) {
        if (direction->is_null()) result_->direction.clear();
        else if (*direction == "ltr" || *direction == "rtl") result_->direction = direction->get_string();
        else throw Failure("invalid base direction");
    }
    if (auto* propagate = local.if_contains("@propagate"))
        if (!propagate->is_bool()) throw Failure("invalid @propagate value");
    protected_ = false;
    if (auto* all = local.if_contains("@protected")) {
        if (!all->is_bool()) throw Failure("invalid @protected value");
        protected_ = all->get_bool();
    }
    if (std::max({result_->base.size(), result_->language.size(), result_->vocabulary.value_or("").size()}) >
        longest_in_context)
        throw Failure("document too complex");
    local_ = &local;
    states_.clear();
    for (const auto& [term, value] : local) {
        static constexpr std::string_view other[] = {
            "@base", "@direction", "@import", "@language", "@propagate", "@protected", "@version", "@vocab"
        };
        if (std::ranges::find(other, std::string_view(term)) == std::end(other)) define(term);
    }
    local_ = nullptr;
    active_ = result_;
}

void Processor::read_base(const boost::json::value& value) {
    if (value.is_null()) return result_->base.clear();
    auto* text = value.if_string();
    if (!text) throw Failure("invalid base IRI");
    if (is_absolute(*text)) result_->base = *text;
    else if (!result_->base.empty()) result_->base = resolve(result_->base, *text);
    else throw Failure("invalid base IRI");
}

void Processor::read_vocabulary(const boost::json::value& value) {
    if (value.is_null()) return result_->vocabulary.reset();
    auto* text = value.if_string();
    if (!text) throw Failure("invalid vocab mapping");
    auto iri = expand(*result_, *text, {.against_base = true, .vocabulary = true});
    if (!iri || is_keyword(*iri)) throw Failure("invalid vocab mapping");
    result_->vocabulary = *iri;
}

std::optional<std::string> Processor::expand(
    const Context& context, std::string_view word, IriOptions options, Processor* defining
) {
    if (is_keyword(word)) return std::string(word);
    if (looks_like_keyword(word)) return std::nullopt;
    if (defining) defining->define_if_local(word);
    const auto* definition = context.find(word);
    if (definition && definition->iri && is_keyword(*definition->iri)) return definition->iri;
    if (options.vocabulary && definition) return definition->iri;
    if (auto colon = word.find(':', 1); colon != word.npos) {
        auto prefix = word.substr(0, colon), suffix = word.substr(colon + 1);
        if (prefix == "_" || suffix.starts_with("//")) return std::string(word);
        if (defining) defining->define_if_local(prefix);
        const auto* known = context.find(prefix);
        if (known && known->iri && known->prefix) return *known->iri + std::string(suffix);
        if (is_absolute(word)) return std::string(word);
    }
    if (options.vocabulary && context.vocabulary) return *context.vocabulary + std::string(word);
    if (options.against_base && !context.base.empty()) return resolve(context.base, word);
    return std::string(word);
}

}  // namespace ap::ld
