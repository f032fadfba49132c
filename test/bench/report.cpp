// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/report.hpp"

#include "bench/scenarios.hpp"
#include <sluice/version.hpp>

#include <boost/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace sluice::bench {
namespace {

// How many times the time of ours a contestant needs; 0 if ours was not measured.
double ratio(const std::vector<result>& results, const result& to)
{
    const auto own = std::ranges::find_if(results, [&](const result& one) {
        return one.contestant == ours && one.scenario == to.scenario;
    });
    return own == results.end() ? 0 : to.median() / own->median();
}

// Half the distance between the slowest and the fastest round, in percent of the median.
double spread(const result& of)
{
    return 50 * (of.slowest() - of.fastest()) / of.median();
}

std::vector<result> of(const scenario& subject, const std::vector<result>& results)
{
    std::vector<result> own;
    std::ranges::copy_if(results, std::back_inserter(own), [&](const result& one) {
        return one.scenario == subject.name;
    });
    return own;
}

void print_verdict(std::ostream& out, const verdict& one)
{
    out << "  bar: " << one.judged.contestant << ' ' << one.ratio << ' '
        << one.judged.what << ", wanted " << one.judged.at_least << ": "
        << (one.met() ? "met" : "NOT MET") << " (rounds " << one.lowest << " to "
        << one.highest << "; of the fastest " << one.of_fastest << ")\n";
}

}  // namespace

void print(std::ostream& out, const scenario& subject, const std::vector<result>& results)
{
    out << '\n' << subject.name << ": " << subject.what << '\n';
    if (!results.empty())
        out << "  " << std::left << std::setw(36) << "" << std::right << std::setw(10)
            << subject.unit << std::setw(10) << "fastest" << std::setw(10) << "slowest"
            << std::setw(9) << "spread" << std::setw(9) << "ratio" << '\n';
    out << std::fixed;
    for (const result& one : results)
        out << "  " << std::left << std::setw(36) << one.contestant << std::right
            << std::setprecision(1) << std::setw(10) << one.median() << std::setw(10)
            << one.fastest() << std::setw(10) << one.slowest() << std::setprecision(0)
            << std::setw(7) << spread(one) << " %" << std::setprecision(2) << std::setw(9)
            << ratio(results, one) << '\n';
    for (const verdict& one : judge(subject, results))
        print_verdict(out, one);
    if (!subject.missing.empty())
        out << "  not built:";
    for (const std::string& name : subject.missing)
        out << ' ' << name << (&name == &subject.missing.back() ? '\n' : ',');
    out << std::flush;
}

std::string to_json(
    const std::vector<result>& results,
    const std::vector<scenario>& scenarios,
    const effort& chosen
)
{
    nlohmann::ordered_json document;
    document["sluice"] = std::to_string(version.major) + '.' +
                         std::to_string(version.minor) + '.' +
                         std::to_string(version.patch);
    document["boost"] = BOOST_LIB_VERSION;
    document["compiler"] = __VERSION__;
    document["processors"] = std::thread::hardware_concurrency();
    document["rounds"] = chosen.rounds;
    document["results"] = nlohmann::ordered_json::array();
    for (const result& one : results)
        document["results"].push_back(
            {{"scenario", one.scenario},
             {"contestant", one.contestant},
             {"items", one.items},
             {"unit", one.unit},
             {"per_item", one.median()},
             {"fastest", one.fastest()},
             {"slowest", one.slowest()},
             {"ratio_to_sluice", ratio(results, one)},
             {"rounds", one.rounds}}
        );
    document["bars"] = nlohmann::ordered_json::array();
    for (const scenario& subject : scenarios)
        for (const verdict& one : judge(subject, of(subject, results)))
            document["bars"].push_back(
                {{"scenario", subject.name},
                 {"contestant", one.judged.contestant},
                 {"reference", one.judged.reference},
                 {"at_least", one.judged.at_least},
                 {"ratio", one.ratio},
                 {"ratio_of_fastest", one.of_fastest},
                 {"lowest", one.lowest},
                 {"highest", one.highest},
                 {"met", one.met()}}
            );
    return document.dump(2) + '\n';
}

}  // namespace sluice::bench
