// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/gzip.hpp"
#include "pipeline/replaced_input.hpp"
#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::test::read_tests {

struct read_fixture : stage_fixture
{
    texts read(const json& options) { return lines_of("read", options); }

    texts read_content(const std::string& content)
    {
        return read({{"files", folder.write("content", content)}});
    }

    static json json_lines(json options)
    {
        options["format"] = "json_lines";
        return options;
    }

    // Three files with a line each.
    void write_three() const
    {
        folder.write("b/two.txt", "2\n");
        folder.write("a.txt", "1\n");
        folder.write("b/three.hpp", "3\n");
    }

    static std::string gzipped(const std::string& text)
    {
        pipeline::gzip_encoder encoder;
        std::string data = encoder.encode(text);
        return data + encoder.finish();
    }

    temporary_folder folder;
};

BOOST_FIXTURE_TEST_SUITE(read, read_fixture)

// What a line is

BOOST_AUTO_TEST_CASE(lines_lose_their_ends)
{
    BOOST_TEST(read_content("one\ntwo\r\n\nfour\n") == (texts{"one", "two", "", "four"}));
}

BOOST_AUTO_TEST_CASE(last_line_without_newline_counts)
{
    BOOST_TEST(read_content("one\ntwo") == (texts{"one", "two"}));
}

BOOST_AUTO_TEST_CASE(carriage_return_elsewhere_stays)
{
    BOOST_TEST(read_content("a\rb\nc\r") == (texts{"a\rb", "c\r"}));
}

BOOST_AUTO_TEST_CASE(empty_file_gives_nothing)
{
    BOOST_TEST(read_content("") == texts());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_kept)
{
    const std::string bytes("\0\xff\xfe\x1f\x8b", 5);
    BOOST_TEST(read_content(bytes + "\n") == (texts{bytes}));
}

BOOST_AUTO_TEST_CASE(lines_longer_than_a_piece_are_whole)
{
    const std::string huge(3'000'000, 'x');
    BOOST_TEST((read_content(huge + "\r\nend\n") == texts{huge, "end"}));
}

BOOST_AUTO_TEST_CASE(carriage_return_and_newline_in_different_pieces_are_one_end)
{
    const std::string almost_a_piece(256 * 1024 - 1, 'x');
    BOOST_TEST((read_content(almost_a_piece + "\r\nend") == texts{almost_a_piece, "end"})
    );
}

// What has no end

BOOST_AUTO_TEST_CASE(line_above_the_limit_is_an_error_with_its_place)
{
    const auto path = folder.write("file", "short\n" + std::string(300'000, 'x') + "\n");
    BOOST_TEST(
        error_of("read", {{"files", path}, {"longest_record", "64 kB"}}) ==
        path + ", line 2: it goes on for more than 64000 B, which \"longest_record\" of "
               "the source can raise"
    );
    BOOST_TEST(
        lines_of("read", {{"files", path}, {"longest_record", 300'000}}).size() == 2U
    );
}

BOOST_AUTO_TEST_CASE(limit_of_a_line_is_exact_wherever_it_stands)
{
    const std::string longest(1000, 'x');
    const std::string other = std::string(999, 'y') + "\n";
    for (int before = 250; before <= 265; ++before) {  // a read ends at 256 KiB
        std::string text;
        for (int i = 0; i < before; ++i)
            text += other;
        const auto path = folder.write("file", text + longest + "\r\n" + longest + "x\n");
        BOOST_TEST(
            skipped_by("read", {{"files", path}, {"longest_record", 1000}}).size() == 1U
        );
    }
}

BOOST_AUTO_TEST_CASE(line_above_the_limit_can_be_left_out)
{
    folder.write("1", "one\n" + std::string(300'000, 'x') + "\ntwo\nthree");
    folder.write("2", std::string(300'000, 'y'));
    folder.write("3", "four\n");
    const json options = {{"files", folder.path()}, {"longest_record", "64 KiB"}};
    const auto tested = make("read", options);
    fake_stage_context context(ctx);
    context.action = pipeline::error_action::divert;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(
        to_texts(std::move(context.output)) == (texts{"one", "two", "three", "four"})
    );
    BOOST_TEST(
        to_texts(std::move(context.skipped)) ==
        (texts{std::string(1000, 'x'), std::string(1000, 'y')})
    );
    BOOST_TEST(holds(context.reasons.back(), "2, line 1: "), context.reasons.back());
}

BOOST_AUTO_TEST_CASE(compressed_file_that_expands_too_much_is_an_error)
{
    std::string lines;
    for (int i = 0; i < 70; ++i)
        lines += std::string(1'000'000, 'x') + "\n";
    const auto path = folder.write("bomb.gz", gzipped(lines));
    const auto error = error_of("read", {{"files", path}, {"most_expansion", 20}});
    BOOST_TEST(holds(error, path + ", line 6"), error);
    BOOST_TEST(holds(error, "expands to more than 20 times its size"), error);
    BOOST_TEST(
        lines_of("read", {{"files", path}, {"most_expansion", 2000}}).size() == 70U
    );
}

BOOST_AUTO_TEST_CASE(rest_of_a_file_that_expands_too_much_can_be_left_out)
{
    std::string lines;
    for (int i = 0; i < 70; ++i)
        lines += std::string(1'000'000, 'x') + "\n";
    folder.write("1.gz", gzipped(lines));
    folder.write("2", "end\n");
    const auto tested = make("read", {{"files", folder.path()}, {"most_expansion", 20}});
    fake_stage_context context(ctx);
    context.action = pipeline::error_action::skip;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(context.reasons.size() == 1U);
    BOOST_TEST((context.output.size() > 60 && context.output.size() < 70));
    BOOST_TEST(context.output.back().text() == "end");
}

// Which files

BOOST_AUTO_TEST_CASE(directory_stands_for_all_files_below_it)
{
    write_three();
    BOOST_TEST(read({{"files", {folder.path()}}}) == (texts{"1", "3", "2"}));
}

BOOST_AUTO_TEST_CASE(match_chooses_among_the_files_of_directories)
{
    write_three();
    BOOST_TEST(
        read({{"files", {folder.path()}}, {"match", "*.txt"}}) == (texts{"1", "2"})
    );
}

BOOST_AUTO_TEST_CASE(links_that_lead_nowhere_are_no_files_of_a_directory)
{
    write_three();
    for (const std::string target : {"loop", "missing", "a.txt/below"})
        std::filesystem::create_symlink(target, folder.path(target.substr(0, 4)));
    BOOST_TEST(read({{"files", {folder.path()}}}) == (texts{"1", "3", "2"}));
}

// What a name matches is wanted, and it is perhaps not empty.
BOOST_AUTO_TEST_CASE(link_that_cannot_be_followed_is_an_error_if_its_name_matches)
{
    folder.write("a.txt", "1\n");
    // This one not even root can follow.
    std::filesystem::create_symlink(std::string(300, 'x'), folder.path("b.md"));
    const auto options = [&](const char* match) {
        return json{{"files", {folder.path()}}, {"match", match}};
    };
    BOOST_TEST(read(options("*.txt")) == texts{"1"});
    BOOST_TEST(
        error_of("read", options("*")) ==
        "cannot read " + folder.path("b.md") + ": File name too long"
    );
}

BOOST_AUTO_TEST_CASE(pattern_stands_for_the_files_it_matches)
{
    write_three();
    BOOST_TEST(read({{"files", {folder.path("b/*.[th]*")}}}) == (texts{"3", "2"}));
}

BOOST_AUTO_TEST_CASE(file_whose_name_looks_like_a_pattern_is_that_file)
{
    folder.write("a[1]", "brackets\n");
    folder.write("a1", "none\n");
    BOOST_TEST(read({{"files", {folder.path("a[1]")}}}) == (texts{"brackets"}));
}

BOOST_AUTO_TEST_CASE(epochs_read_everything_again)
{
    write_three();
    const json options = {{"files", {folder.path()}}, {"epochs", 2}};
    BOOST_TEST(read(options) == (texts{"1", "3", "2", "1", "3", "2"}));
}

BOOST_AUTO_TEST_CASE(shuffled_epochs_have_all_files_in_orders_of_the_seed)
{
    for (char name = 'a'; name <= 'z'; ++name)
        folder.write(std::string(1, name), std::string(1, name) + "\n");
    const json options =
        {{"files", {folder.path()}}, {"epochs", 2}, {"shuffle", true}, {"seed", 5}};
    auto lines = read(options);
    BOOST_TEST(lines == read(options));
    const auto middle = lines.begin() + 26;
    BOOST_TEST(!std::equal(lines.begin(), middle, middle));
    std::sort(lines.begin(), middle);
    std::sort(middle, lines.end());
    BOOST_TEST(std::equal(lines.begin(), middle, middle));
    BOOST_TEST(lines.front() == "a");
}

// Gzip

BOOST_AUTO_TEST_CASE(gzip_is_recognized_by_its_content)
{
    BOOST_TEST(read_content(gzipped("one\ntwo\n")) == (texts{"one", "two"}));
}

BOOST_AUTO_TEST_CASE(gzip_members_are_read_as_one)
{
    BOOST_TEST(
        read_content(gzipped("one\ntw") + gzipped("o\n")) == (texts{"one", "two"})
    );
}

BOOST_AUTO_TEST_CASE(zeros_behind_a_gzip_member_are_padding)
{
    const std::string zeros(1000, '\0');
    BOOST_TEST(read_content(gzipped("one\n") + zeros) == (texts{"one"}));
    BOOST_TEST(
        read_content(gzipped("one\n") + zeros + gzipped("two\n")) == (texts{"one", "two"})
    );
}

BOOST_AUTO_TEST_CASE(garbage_behind_a_gzip_member_is_an_error)
{
    const std::string one = gzipped("one\n");
    const std::string zeros(600, '\0');
    for (const std::string& garbage : texts{"garbage", "x", zeros + "x", zeros + "xyz"}) {
        const auto path = folder.write("garbage.gz", one + garbage);
        const auto error = error_of("read", {{"files", path}});
        BOOST_TEST(
            error == "cannot uncompress the gzip data of " + path +
                         ": behind their end at byte " + std::to_string(one.size()) +
                         " is something else than more of them and zeros; if it can go, "
                         "head -c " +
                         std::to_string(one.size()) + " of the file gives them alone"
        );
    }
}

BOOST_AUTO_TEST_CASE(gzip_member_that_is_cut_early_is_no_garbage)
{
    const auto path = folder.write("cut.gz", gzipped("one\n") + "\x1f\x8b");
    const auto error = error_of("read", {{"files", path}});
    BOOST_TEST(holds(error, "they end too early"), error);
}

BOOST_AUTO_TEST_CASE(damage_in_a_later_gzip_member_is_an_error)
{
    std::string second = gzipped("two\n");
    second[2] = 'x';  // the method of the compression
    const auto path = folder.write("damaged.gz", gzipped("one\n") + second);
    const auto error = error_of("read", {{"files", path}});
    BOOST_TEST(holds(error, "unknown compression method"), error);
}

BOOST_AUTO_TEST_CASE(file_that_another_program_has_compressed_is_an_error_with_a_remedy)
{
    const std::map<std::string, std::string> beginnings{
        {"zstd", {"\x28\xb5\x2f\xfd\x04", 5}},
        {"xz", {"\xfd\x37\x7a\x58\x5a\x00\x00", 7}},
        {"bzip2", "BZh91AY&SY?"}
    };
    for (const auto& [program, bytes] : beginnings) {
        const auto file = folder.write("input", bytes);
        BOOST_TEST(
            error_of("read", {{"files", file}}) ==
            "cannot read " + file + ": it is compressed with " + program +
                ", and sources uncompress gzip only; uncompress it before, or use " +
                program + " -dc as a command that is the source"
        );
    }
}

BOOST_AUTO_TEST_CASE(text_that_begins_as_compressed_data_do_is_text)
{
    BOOST_TEST(read_content("BZ") == texts{"BZ"});
    BOOST_TEST(read_content("BZh91 is a word\n") == texts{"BZh91 is a word"});
    BOOST_TEST(read_content("\xfd\x37z") == texts{"\xfd\x37z"});
}

BOOST_AUTO_TEST_CASE(first_byte_of_gzip_alone_is_no_gzip)
{
    BOOST_TEST(read_content("\x1f") == (texts{"\x1f"}));
}

BOOST_AUTO_TEST_CASE(gzip_that_comes_byte_by_byte_is_recognized)
{
    replaced_input input;
    const auto tested = make("read", {{"files", "-"}});
    fake_stage_context context(ctx);
    const auto worker = spawn([&] { return tested->work(context); });
    for (const char byte : gzipped("one\ntwo\n")) {
        input.write({&byte, 1});
        run_until([] { return replaced_input::is_read(); });
    }
    input.end();
    run_until_done(worker);
    BOOST_TEST(to_texts(std::move(context.output)) == (texts{"one", "two"}));
}

BOOST_AUTO_TEST_CASE(gzip_that_grows_much_is_read_to_its_end)
{
    std::string content;
    for (int i = 0; i < 100'000; ++i)
        content += "the same line again\n";
    const auto lines = read_content(gzipped(content));
    BOOST_TEST(lines.size() == 100'000u);
    BOOST_TEST(std::ranges::count(lines, "the same line again") == 100'000);
}

BOOST_AUTO_TEST_CASE(cut_gzip_is_an_error_that_names_the_file)
{
    std::string content = gzipped("some text that is long enough to be cut\n");
    content.resize(content.size() - 6);
    const auto path = folder.write("cut.gz", content);
    const auto error = error_of("read", {{"files", path}});
    BOOST_TEST(
        error == "cannot uncompress the gzip data of " + path + ": they end too early"
    );
}

BOOST_AUTO_TEST_CASE(damaged_gzip_is_an_error)
{
    std::string content = gzipped("some text\n");
    content[content.size() - 6] ^= 1;
    const auto path = folder.write("damaged.gz", content);
    const auto error = error_of("read", {{"files", path}});
    BOOST_TEST(holds(error, "incorrect data check"), error);
}

// Errors

BOOST_AUTO_TEST_CASE(missing_file_is_an_error_with_its_name)
{
    const auto path = folder.path("missing");
    const auto error = error_of("read", {{"files", path}});
    BOOST_TEST(error == "cannot read " + path + ": No such file or directory");
}

BOOST_AUTO_TEST_CASE(pattern_without_files_is_an_error)
{
    const auto path = folder.path("*.gz");
    BOOST_TEST(error_of("read", {{"files", path}}) == "no file matches " + path);
}

BOOST_AUTO_TEST_CASE(pattern_below_a_missing_directory_matches_no_file)
{
    for (const char* const pattern : {"missing/*.gz", "*/missing/*.gz"}) {
        const auto path = folder.path(pattern);
        BOOST_TEST(error_of("read", {{"files", path}}) == "no file matches " + path);
    }
}

BOOST_AUTO_TEST_CASE(directory_without_matching_files_is_an_error)
{
    write_three();
    const auto error = error_of("read", {{"files", folder.path("b")}, {"match", "*.md"}});
    BOOST_TEST(holds(error, "matches *.md"), error);
}

BOOST_AUTO_TEST_CASE(file_that_vanishes_while_others_are_read_is_an_error)
{
    folder.write("a", std::string(1'000'000, '\n'));
    const auto vanishing = folder.write("b", "never\n");
    const auto tested = make("read", {{"files", folder.path()}});
    fake_stage_context context(ctx);
    const auto worker = spawn([&] { return tested->work(context); });
    run_until([&] { return context.writes > 0; });
    std::filesystem::remove(vanishing);
    BOOST_CHECK_EXCEPTION(run_until_done(worker), std::system_error, [&](const auto& e) {
        return holds(e.what(), "cannot open " + vanishing);
    });
}

BOOST_AUTO_TEST_CASE(options_that_do_not_go_together_are_problems)
{
    BOOST_TEST(problem_of("read", {{"files", json::array()}}) == "/files");
    BOOST_TEST(problem_of("read", {{"files", {"-", "-"}}}) == "/files");
    BOOST_TEST(problem_of("read", {{"files", ""}}) == "/files/0");
    BOOST_TEST(problem_of("read", {{"files", {"a", ""}}}) == "/files/1");
    BOOST_TEST(problem_of("read", {{"files", "a"}, {"format", "xml"}}) == "/format");
    BOOST_TEST(problem_of("read", {{"files", "-"}, {"epochs", 2}}) == "/epochs");
}

BOOST_AUTO_TEST_CASE(option_of_another_format_is_a_problem_that_says_so)
{
    const std::map<std::string, json> options{
        {"header", false},
        {"columns", {"a"}},
        {"separator", ";"},
        {"numbers", true},
        {"skip_lines", 1},
        {"comment", "#"},
        {"short_records", "fill"}
    };
    for (const auto& [name, value] : options)
        for (const char* format : {"lines", "json_lines"}) {
            const auto problem = full_problem_of(
                "read",
                {{"files", "a"}, {"format", format}, {name, value}}
            );
            BOOST_TEST(problem.pointer == "/" + name);
            BOOST_TEST(problem.expected == R"(no such option, unless "format" is "csv")");
        }
}

// Workers, stop, progress

BOOST_AUTO_TEST_CASE(workers_share_the_files)
{
    write_three();
    const auto tested = make("read", {{"files", folder.path()}});
    fake_stage_context first(ctx);
    fake_stage_context second(ctx);
    const auto a = spawn([&] { return tested->work(first); });
    const auto b = spawn([&] { return tested->work(second); });
    run_until_done(a);
    run_until_done(b);
    auto lines = to_texts(std::move(first.output));
    for (auto& line : to_texts(std::move(second.output)))
        lines.push_back(line);
    std::ranges::sort(lines);
    BOOST_TEST(lines == (texts{"1", "2", "3"}));
}

BOOST_AUTO_TEST_CASE(stopped_source_ends_after_what_it_has_read)
{
    folder.write("many", std::string(1'000'000, '\n'));
    const auto tested = make("read", {{"files", folder.path()}});
    fake_stage_context context(ctx);
    context.stop_after_writes = 1;
    run_until_done(tested->work(context));
    BOOST_TEST(context.writes == 1u);
    BOOST_TEST(context.output.size() == 256u * 1024);
}

BOOST_AUTO_TEST_CASE(progress_is_the_share_of_bytes_read)
{
    const auto path = folder.write("many", std::string(4 * 256 * 1024, '\n'));
    const auto tested = make("read", {{"files", path}, {"epochs", 2}});
    BOOST_TEST(!tested->progress());
    fake_stage_context context(ctx);
    context.stop_after_writes = 2;
    run_until_done(tested->work(context));
    BOOST_TEST(tested->progress().value() == 0.25);
}

// Standard input

BOOST_AUTO_TEST_CASE(standard_input_is_read_to_its_end)
{
    replaced_input input;
    input.write("one\ntw");
    const auto tested = make("read", {{"files", "-"}});
    fake_stage_context context(ctx);
    const auto worker = spawn([&] { return tested->work(context); });
    run_until([&] { return context.output.size() == 1; });
    input.write("o\n");
    input.end();
    run_until_done(worker);
    BOOST_TEST(to_texts(std::move(context.output)) == (texts{"one", "two"}));
}

BOOST_AUTO_TEST_CASE(second_source_on_standard_input_is_an_error_also_after_its_end)
{
    replaced_input input;
    input.write("one\n");
    input.end();
    const auto first = make("read", {{"files", "-"}});
    fake_stage_context context(ctx);
    run_until_done(run_stage(*first, context));
    BOOST_TEST(
        error_of("read", {{"files", "-"}}) ==
        "standard input is read twice, by two sources; give one of them a file"
    );
}

BOOST_AUTO_TEST_CASE(waiting_for_standard_input_ends_at_a_stop)
{
    replaced_input input;
    input.write("one\n");
    const auto tested = make("read", {{"files", "-"}});
    fake_stage_context context(ctx);
    const auto worker = spawn([&] { return tested->work(context); });
    run_until([&] { return context.output.size() == 1; });
    context.request_stop();
    run_until_done(worker);
    BOOST_TEST(to_texts(std::move(context.output)) == (texts{"one"}));
    BOOST_TEST(!tested->progress());
}

// A pipeline that ends cancels its workers, and asks its sources to stop.
BOOST_AUTO_TEST_CASE(cancelled_worker_leaves_standard_input)
{
    replaced_input input;
    input.write("one\n");
    const auto tested = make("read", {{"files", "-"}});
    fake_stage_context context(ctx);
    asio::cancellation_signal cancel;
    bool ended = false;
    asio::co_spawn(
        ctx,
        tested->work(context),
        asio::bind_cancellation_slot(
            cancel.slot(),
            [&](const std::exception_ptr&) { ended = true; }
        )
    );
    run_until([&] { return context.output.size() == 1; });
    cancel.emit(asio::cancellation_type::all);
    context.request_stop();
    run_until([&] { return ended; });
}

BOOST_AUTO_TEST_CASE(named_pipe_waits_for_its_writer)
{
    const auto path = folder.path("pipe");
    BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const auto tested = make("read", {{"files", path}});
    fake_stage_context context(ctx);
    const auto worker = spawn([&] { return tested->work(context); });
    run();
    folder.write("pipe", "written\n");  // waits until the worker has opened it
    run_until_done(worker);
    BOOST_TEST(to_texts(std::move(context.output)) == (texts{"written"}));
}

// In batches

BOOST_AUTO_TEST_CASE(lines_keep_their_order_over_many_pieces)
{
    std::string content;
    texts expected;
    for (int i = 0; i < 100'000; ++i) {  // more than is read at a time
        expected.push_back("line " + std::to_string(i));
        content += expected.back() + '\n';
    }
    BOOST_TEST(
        (lines_of("read", {{"files", folder.write("content", content)}}) == expected)
    );
}

BOOST_AUTO_TEST_CASE(source_knows_how_many_files_it_reads_when_it_has_found_them)
{
    folder.write("one", "1\n");
    folder.write("two", "2\n");
    const auto tested = make("read", {{"files", folder.path()}, {"epochs", 3}});
    BOOST_TEST(!tested->parts());
    fake_stage_context context(ctx);
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(tested->parts().value() == 6U);
}

BOOST_AUTO_TEST_CASE(source_with_more_epochs_than_can_be_counted_knows_that_they_are_many)
{
    for (const char* const name : {"1", "2", "3", "4"})
        folder.write(name, "1\n");
    const std::int64_t epochs = std::int64_t{1} << 62;
    const auto tested = make("read", {{"files", folder.path()}, {"epochs", epochs}});
    fake_stage_context context(ctx);
    context.stop_after_writes = 1;
    run_until_done(tested->work(context));
    BOOST_TEST(tested->parts().value_or(0) > std::numeric_limits<std::size_t>::max() / 2);
    BOOST_TEST(tested->progress().value_or(1) < 0.001);
}

// JSON lines

BOOST_AUTO_TEST_CASE(each_line_is_a_value)
{
    const auto path = folder.write("file", "{\"n\": 1}\r\n\n \t\n[2]\n\"x\"\nnull");
    const auto values = result_of("read", json_lines({{"files", path}}));
    BOOST_REQUIRE(values.size() == 4u);
    BOOST_TEST(values[0].to_json() == (json{{"n", 1}}));
    BOOST_TEST(values[1].to_json() == json::array({2}));
    BOOST_TEST(values[2].to_json() == json("x"));
    BOOST_TEST(values[3].to_json() == json());
}

BOOST_AUTO_TEST_CASE(what_is_no_json_is_an_error_with_file_line_and_column)
{
    const auto path = folder.write("file", "1\n\n{\"a\": }\n");
    const auto error = error_of("read", json_lines({{"files", path}}));
    BOOST_TEST(error.starts_with(path + ", line 3: no JSON: column 7: "), error);
}

BOOST_AUTO_TEST_CASE(number_out_of_range_is_an_error_with_file_and_line)
{
    const auto path = folder.write("file", "1\n{\"x\": 1e999}\n");
    BOOST_TEST(
        error_of("read", json_lines({{"files", path}})) ==
        path + ", line 2: a number is beyond the range of floating point"
    );
}

BOOST_AUTO_TEST_CASE(text_behind_a_nul_byte_is_not_dropped)
{
    const auto path = folder.write("file", std::string("{\"a\":1}\0{\"b\":2}\n", 16));
    BOOST_TEST(
        error_of("read", json_lines({{"files", path}})) ==
        path + ", line 1: no JSON: column 8: a NUL byte"
    );
}

BOOST_AUTO_TEST_CASE(byte_order_mark_before_json_is_no_part_of_the_value)
{
    const auto path = folder.write("file", "\xef\xbb\xbf{\"a\":1}\n{\"a\":2}\n");
    const auto values = result_of("read", json_lines({{"files", path}}));
    BOOST_REQUIRE(values.size() == 2U);
    BOOST_TEST(element(values[0]).to_text() == R"({"a":1})");
    folder.write("file", "1\n\xef\xbb\xbf{\"a\":1}\n");
    BOOST_TEST(
        error_of("read", json_lines({{"files", path}})) ==
        path + ", line 2: no JSON: a byte order mark inside of the file"
    );
}

BOOST_AUTO_TEST_CASE(file_in_utf16_is_an_error_with_what_to_do)
{
    for (const std::string mark : {"\xff\xfe", "\xfe\xff"}) {
        const auto path = folder.write("file", mark + "1\n");
        BOOST_TEST(
            error_of("read", json_lines({{"files", path}})) ==
            path + ", line 1: no JSON: it is in UTF-16, by its first bytes; "
                   "`iconv -f UTF-16 -t UTF-8` makes UTF-8 of it"
        );
    }
}

BOOST_AUTO_TEST_CASE(members_and_numbers_stay_as_they_are_written)
{
    const std::string line = R"({"b":1.10,"a":[12345678901234567890123,-0,1e3]})";
    const auto path = folder.write("file", line);
    BOOST_TEST(lines_of("read", json_lines({{"files", path}})) == texts{line});
}

BOOST_AUTO_TEST_CASE(name_twice_in_one_object_is_an_error_with_file_and_line)
{
    const auto path = folder.write("file", "1\n{\"a\":1,\"a\":2}\n");
    BOOST_TEST(
        error_of("read", json_lines({{"files", path}})) ==
        path + ", line 2: the name \"a\" twice in one object"
    );
}

BOOST_AUTO_TEST_CASE(lines_are_counted_for_each_file)
{
    folder.write("all/1", "1\n2\n3\n");
    const auto path = folder.write("all/2", "x");
    const auto error = error_of("read", json_lines({{"files", folder.path("all")}}));
    BOOST_TEST(error.starts_with(path + ", line 1: "), error);
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_an_error)
{
    const auto path = folder.write("file", "\"\xff\"\n");
    const auto error = error_of("read", json_lines({{"files", path}}));
    BOOST_TEST(holds(error, "line 1: no JSON"), error);
}

BOOST_AUTO_TEST_CASE(brackets_in_strings_are_not_nested)
{
    const auto path = folder.write("file", "[\"\\\"" + std::string(1000, '[') + "\"]\n");
    BOOST_TEST(result_of("read", json_lines({{"files", path}})).size() == 1u);
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_an_error)
{
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    const auto path = folder.write("file", deep);
    const auto error = error_of("read", json_lines({{"files", path}}));
    BOOST_TEST(error == path + ", line 1: nested deeper than 500 levels");
}

// What comes behind the last value of a file is no part of the next one.
BOOST_AUTO_TEST_CASE(file_may_follow_one_that_ends_with_no_value)
{
    folder.write("all/1", "{\"a\":1}\n\n");
    folder.write("all/2", "{\"a\":2}\nno JSON\n");
    folder.write("all/3", "\n");
    folder.write("all/4", "{\"a\":3}\n");
    const json options = json_lines({{"files", folder.path("all")}, {"epochs", 2}});
    const texts once{"{\"a\":1}", "{\"a\":2}", "{\"a\":3}"};
    texts twice = once;
    twice.insert(twice.end(), once.begin(), once.end());
    BOOST_TEST(kept_by("read", options) == twice);
}

BOOST_AUTO_TEST_CASE(line_that_is_no_json_can_be_left_out)
{
    const auto path = folder.write("file", "1\n{\"a\"\n2\n");
    BOOST_TEST(skipped_by("read", json_lines({{"files", path}}))
                   .front()
                   .starts_with("{\"a\": " + path + ", line 2: no JSON: column 5"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test::read_tests
