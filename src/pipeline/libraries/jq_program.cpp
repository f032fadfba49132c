// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/jq_program.hpp"

#include "io/io.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <utility>

extern "C" {
#include <jq.h>
#include <jv.h>
}

namespace sluice::pipeline {

namespace {

// Elements as libjq has values, and back. libjq counts references without a lock, so a value
// stays with the worker that has made it.

// Values are printed by functions that call themselves for each level.
constexpr std::size_t deepest_result = 500;

class owned_jv
{
public:
    explicit owned_jv(jv value) noexcept : value_(value) {}
    owned_jv(const owned_jv&) = delete;
    owned_jv& operator=(const owned_jv&) = delete;
    ~owned_jv() { jv_free(value_); }

    [[nodiscard]] jv get() const noexcept { return value_; }

    // For a function of libjq that takes its argument over.
    [[nodiscard]] jv copy() const noexcept { return jv_copy(value_); }

private:
    jv value_;
};

jv to_jv(std::string_view text)
{
    constexpr std::size_t longest = std::numeric_limits<int>::max() / 4;
    if (text.size() > longest)
        throw std::runtime_error("a text is too long for jq");
    return jv_string_sized(text.data(), static_cast<int>(text.size()));
}

jv to_jv(const json_value& value)
{
    if (is_number(value))
        return jv_number(to_double(value));
    switch (value.type()) {
    case json_value::value_t::boolean:
        return jv_bool(value.get<bool>() ? 1 : 0);
    case json_value::value_t::string:
        return to_jv(std::string_view(value.get_ref<const std::string&>()));
    case json_value::value_t::array: {
        jv array = jv_array();
        for (const json_value& each : value)
            array = jv_array_append(array, to_jv(each));
        return array;
    }
    case json_value::value_t::object: {
        jv object = jv_object();
        for (const auto& [name, each] : value.items())
            object = jv_object_set(object, to_jv(std::string_view(name)), to_jv(each));
        return object;
    }
    default:
        return jv_null();
    }
}

json_value to_number(double number)
{
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (std::isnan(number))
        return nullptr;
    const bool is_whole = std::trunc(number) == number && std::abs(number) <= exact;
    if (is_whole && !(number == 0 && std::signbit(number)))
        return static_cast<std::int64_t>(number);
    constexpr double largest = std::numeric_limits<double>::max();
    return std::clamp(number, -largest, largest);
}

std::string to_string(const owned_jv& string)
{
    const int size = jv_string_length_bytes(string.copy());
    return {jv_string_value(string.get()), static_cast<std::size_t>(size)};
}

json_value from_jv(const owned_jv& value, std::size_t depth);

json_value to_array(const owned_jv& value, std::size_t depth)
{
    json_value array = json_value::array();
    const int size = jv_array_length(value.copy());
    for (int i = 0; i < size; ++i)
        array.push_back(from_jv(owned_jv(jv_array_get(value.copy(), i)), depth));
    return array;
}

json_value to_object(const owned_jv& value, std::size_t depth)
{
    json_value::object_t object;
    for (int at = jv_object_iter(value.get()); jv_object_iter_valid(value.get(), at) != 0;
         at = jv_object_iter_next(value.get(), at)) {
        const owned_jv name(jv_object_iter_key(value.get(), at));
        const owned_jv member(jv_object_iter_value(value.get(), at));
        object.emplace_back(to_string(name), from_jv(member, depth));
    }
    return object;
}

// The depth of what is in an array or object at this one.
std::size_t below(std::size_t depth)
{
    if (depth == deepest_result)
        throw std::runtime_error(
            fmt::format("the result is nested deeper than {} levels", deepest_result)
        );
    return depth + 1;
}

json_value from_jv(const owned_jv& value, std::size_t depth)
{
    switch (jv_get_kind(value.get())) {
    case JV_KIND_FALSE:
        return false;
    case JV_KIND_TRUE:
        return true;
    case JV_KIND_NUMBER:
        return to_number(jv_number_value(value.get()));
    case JV_KIND_STRING:
        return to_string(value);
    case JV_KIND_ARRAY:
        return to_array(value, below(depth));
    case JV_KIND_OBJECT:
        return to_object(value, below(depth));
    default:
        return nullptr;
    }
}

// A text becomes a string. Numbers become doubles, which is all that jq 1.6
// knows, and bytes that are not UTF-8 become U+FFFD. Give the result away or free it.
jv to_jv(const element& content)
{
    return content.is_text() ? to_jv(content.text()) : to_jv(content.to_json());
}

// Takes the value over. Whole numbers up to 2^53 stay whole; what is no number is null, and
// the infinities are the largest numbers, as where jq prints. Throws std::runtime_error if it
// is nested deeper than can be printed.
json_value from_jv(jv value)
{
    return from_jv(owned_jv(value), 0);
}

// Definitions stand behind what a program includes and imports, so with one in front there can be
// none. What it does would depend on where it is started, and libjq aborts where it finds nothing.
constexpr std::string_view no_modules = "def _no_modules: .;";

// Whether that is what libjq says of a program.
bool is_about_modules(std::string_view said)
{
    constexpr std::string_view unexpected = "syntax error, unexpected ";
    if (!said.starts_with(unexpected))
        return false;
    said.remove_prefix(unexpected.size());
    return said.starts_with("include") || said.starts_with("import") ||
           said.starts_with("module");
}

constexpr const char* own_file_is_a_module =
    "the file ~/.jq cannot be, include or import a module";

// What libjq says of a program or of the file ~/.jq, in one line: of several mistakes the first,
// without its prefix, its advice about shells, and its copy of the program.
std::string reason_in(std::string_view said)
{
    constexpr std::string_view prefix = "jq: error: ";
    while (said.starts_with(prefix))
        said.remove_prefix(prefix.size());
    // The program itself stands in the lines behind.
    const auto at = said.substr(0, said.find('\n')).find(" at <builtin>");
    const bool is_of_file = at != std::string_view::npos ||
                            said.starts_with("library should only have");
    if (is_about_modules(said))
        return is_of_file ? own_file_is_a_module
                          : "it cannot be, include or import a module; write the "
                            "definitions into it";
    said = said.substr(0, std::min(at, said.find_first_of('\n')));
    std::string reason(said.substr(0, said.find(" at <top-level>")));
    constexpr std::string_view advice = " (Unix shell quoting issues?)";
    if (const auto begin = reason.find(advice); begin != std::string::npos)
        reason.erase(begin, advice.size());
    // In other languages a field has no dot. A word of a module has a colon.
    constexpr std::string_view unknown_word = "/0 is not defined";
    const auto end = reason.find(unknown_word);
    if (end != std::string::npos && end < reason.find(':'))
        reason += fmt::format("; a field of that name is .{}", reason.substr(0, end));
    return is_of_file ? "in the file ~/.jq: " + reason : reason;
}

// Whether the file ~/.jq begins with what only stands at the beginning, and at which libjq 1.6
// aborts the process.
bool is_own_file_a_module()
{
    const char* const home = std::getenv("HOME");
    if (home == nullptr)
        return false;                                // libjq reads none then
    std::ifstream file(home + std::string("/.jq"));  // "/.jq" if it is empty
    std::string word;
    while (file >> word && word.starts_with('#'))
        std::getline(file, word);
    return word.starts_with("import") || word.starts_with("include") ||
           word.starts_with("module");
}

// Where this thread goes on if libjq gets no more memory; null: nowhere.
thread_local std::jmp_buf* way_out = nullptr;

// As jq_nomem_handler, whose argument libjq 1.6 forgets. If it comes back libjq aborts the process.
void take_way_out(void* /*data*/)
{
    // Over frames of libjq, which are in C, and of show_debug(), which has no objects with a
    // destructor while libjq allocates for it.
    if (way_out != nullptr)
        std::longjmp(*way_out, 1);
}

// The next result. After std::bad_alloc the state must not be used any more.
jv next_result(jq_state* state)
{
    std::jmp_buf here;
    if (setjmp(here) != 0) {
        way_out = nullptr;
        throw std::bad_alloc();
    }
    way_out = &here;
    const jv result = jq_next(state);
    way_out = nullptr;
    return result;
}

// As jq_msg_cb: keeps the first message.
void keep_first(void* kept, jv message)
{
    auto& first = *static_cast<std::string*>(kept);
    if (first.empty() && jv_get_kind(message) == JV_KIND_STRING)
        first = jv_string_value(message);
    jv_free(message);
}

// As jq_msg_cb, for the word debug: a line on standard error, as the command jq writes it. What
// cannot be written there is nothing to end a run for.
void show_debug(void* /*data*/, jv message)
{
    const jv text = jv_dump_string(JV_ARRAY(jv_string("DEBUG:"), message), 0);
    try {
        io::write_all(
            STDERR_FILENO,
            text::printable(jv_string_value(text)) + '\n',
            "standard error"
        );
    } catch (const std::exception&) {
    }
    jv_free(text);
}

// Why it is none, for texts of which libjq would say nothing or see a part only.
std::string_view plain_mistake_in(std::string_view text)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return R"(it is empty; "." gives what comes in)";
    if (text.find('\0') != std::string_view::npos)
        return "it has the character NUL, at which jq would end";
    return {};
}

}  // namespace

void jq_program::closer::operator()(jq_state* state) const noexcept
{
    jq_teardown(&state);
}

// What a program gives for one input, one after the other.
class jq_program::outputs
{
public:
    outputs(jq_program& program, const element& input) : program_(program), input_(input)
    {
        program_.compile_if_halted(input);
        jq_set_input_cb(program_.state_.get(), no_more_inputs, &asked_for_input_);
        jq_start(program_.state_.get(), to_jv(input), 0);  // forgets what ran before
        advance();
    }

    outputs(const outputs&) = delete;
    outputs& operator=(const outputs&) = delete;
    ~outputs() { jv_free(current_); }

    [[nodiscard]] bool has_value() const { return jv_is_valid(current_) != 0; }

    [[nodiscard]] json_value take()
    {
        json_value value = from_jv(std::exchange(current_, jv_invalid()));
        advance();
        return value;
    }

private:
    void advance()
    {
        try {
            current_ = next_result(program_.state_.get());
        } catch (const std::bad_alloc&) {
            (void)program_.state_.release();
            throw;
        }
        if (has_value())
            return;
        if (jq_halted(program_.state_.get()) != 0)
            fail_because_it_halts();
        if (jv_invalid_has_msg(jv_copy(current_)) != 0)
            fail_because_of(jv_invalid_get_msg(std::exchange(current_, jv_invalid())));
    }

    // As jq_input_cb.
    static jv no_more_inputs(jq_state* /*state*/, void* asked)
    {
        *static_cast<bool*>(asked) = true;
        return jv_invalid();
    }

    [[noreturn]] void fail_because_of(jv error) const
    {
        const std::string message = shown(from_json(from_jv(error)));
        if (asked_for_input_ && message == "break")  // which is how libjq says it
            fail("there is no further input, because it runs once for each element");
        fail(message);
    }

    // halt_error has a message, halt has none. libjq 1.6 would free it anew with each further
    // input, and never if there is none. So it is freed here, and the next input has a new state.
    [[noreturn]] void fail_because_it_halts()
    {
        std::string why =
            "`halt` is not supported, because it would end the whole program";
        const jv message = jq_get_error_message(program_.state_.get());
        if (jv_is_valid(message) != 0)
            why += fmt::format(": {}", shown(from_json(from_jv(message))));
        program_.state_.reset();
        fail(why);
    }

    [[noreturn]] void fail(const std::string& why) const { program_.fail(input_, why); }

    jq_program& program_;
    const element& input_;
    bool asked_for_input_ = false;
    jv current_ = jv_invalid();
};

jq_program::jq_program(const std::string& text, const char* option)
    : text_(text), option_(option)
{
    compile();
}

void jq_program::compile()
{
    const auto refuse = [&](std::string_view reason) {
        throw option_error(
            option_,
            detail::in_quotes(text_),
            fmt::format("a jq program ({})", reason)
        );
    };
    if (const std::string_view mistake = plain_mistake_in(text_); !mistake.empty())
        refuse(mistake);
    if (is_own_file_a_module())
        refuse(own_file_is_a_module);
    std::unique_ptr<jq_state, closer> state(jq_init());
    if (!state)
        throw std::bad_alloc();
    // In libjq 1.6 it has no value otherwise, and is called all the same.
    jq_set_nomem_handler(state.get(), take_way_out, nullptr);
    jq_set_debug_cb(state.get(), show_debug, nullptr);
    std::string said;
    jq_set_error_cb(state.get(), keep_first, &said);
    const std::string compiled = fmt::format("{}{}", no_modules, text_);
    if (jq_compile(state.get(), compiled.c_str()) == 0)
        refuse(reason_in(said));
    jq_set_error_cb(state.get(), nullptr, nullptr);  // the text ends with this call
    state_ = std::move(state);
}

void jq_program::compile_if_halted(const element& input)
try {
    if (!state_)
        compile();
} catch (const option_error& error) {  // the file ~/.jq has changed
    fail(input, fmt::format("it is no longer {}", error.what()));
}

std::vector<json_value> jq_program::run(const element& input)
{
    std::vector<json_value> results;
    for (outputs all(*this, input); all.has_value();)
        results.push_back(all.take());
    return results;
}

void jq_program::fail(const element& input, const std::string& why) const
{
    throw std::runtime_error(fmt::format(
        "cannot evaluate {} for {}: {}",
        detail::in_quotes(text_),
        shown(input),
        why
    ));
}

}  // namespace sluice::pipeline
