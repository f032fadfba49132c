// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/jq_program.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include <sluice/pipeline/stage_registry.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

struct jq_options
{
    std::string program;
};

class jq final : public worker_function_stage
{
public:
    explicit jq(jq_options options) : options_(std::move(options))
    {
        make_first_function();  // finds what is wrong in the program
    }

private:
    [[nodiscard]] function make_function() const override
    {
        return [program = std::make_shared<jq_program>(options_.program, "program")](
                   element&& in,
                   std::vector<element>& out
               ) {
            for (auto& each : program->run(in))
                out.push_back(from_json(std::move(each)));
        };
    }

    const jq_options options_;
};

constexpr const char* jq_details =
    R"(The program is in the language of the command jq, version 1.6, whose manual describes it.
It runs once for each element: a text is a string there. Each of its results becomes an element,
strings become texts. So it selects, reshapes, takes apart and leaves out.

An error in the program ends the pipeline, unless "on_error" of the runner says otherwise. To
allow for fields that are missing write .a?, or .a // 0. The words halt, halt_error and input end
the program with such an error, too. The word debug writes a line to standard error. There are no
include and no import, but definitions in the file ~/.jq. As in jq, error(null) is no error and
gives nothing.

jq 1.6 has one kind of numbers, floating point: whole numbers beyond 9007199254740992 are
rounded, and 1.10 becomes 1.1. Fields that it need not see are safe with "set" of map and "where"
of filter. In texts bytes that are not UTF-8 are replaced. All results of one element are in
memory at the same time.

Nothing limits the time or the memory of a program. One that gets no more memory ends the run, with
"on_error", too. If the element does not fit into memory a second time, jq ends the process. In jq
1.6 a gsub whose pattern matches the empty text never ends, and neither does indices(""). With
--timeout such a run ends after the grace period of its coordinator. Some values make jq 1.6 end the
whole process, which "on_error" cannot prevent. Examples are todate of a number beyond the years of
the calendar, and a slice at nan. Test such fields before.

    { "stage": "jq", "from": "orders", "to": "sums",
      "options": { "program": "{id, sum: (.price * .pieces)}" } }
    { "stage": "jq", "from": "events", "to": "tags",
      "options": { "program": ".tags[]?" } })";

}  // namespace

void add_jq(stage_registry& stages)
{
    stages.add<jq>(
        {.name = "jq",
         .summary = "selects and reshapes with a program in the language jq",
         .takes = element_kind::any,
         .gives = element_kind::any,
         .details = jq_details},
        stage_options<jq_options>().required(
            "program",
            &jq_options::program,
            "what is run for each element, such as \".name\""
        )
    );
}

}  // namespace sluice::pipeline
