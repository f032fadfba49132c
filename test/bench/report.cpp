// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/report.hpp"

#include "bench/scenarios.hpp"
#include <sluice/version.hpp>

#include <boost/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
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

}  // namespace

void print(std::ostream& out, const scenario& subject, const std::vector<result>& results)
{
    out << '\n' << subject.name << ": " << subject.what << '\n';
    out << "  " << std::left << std::setw(24) << "" << std::right << std::setw(10)
        << "ns/item" << std::setw(10) << "fastest" << std::setw(10) << "slowest"
        << std::setw(9) << "spread" << std::setw(9) << "ratio" << '\n';
    out << std::fixed;
    for (const result& one : results)
        out << "  " << std::left << std::setw(24) << one.contestant << std::right
            << std::setprecision(1) << std::setw(10) << one.median() << std::setw(10)
            << one.fastest() << std::setw(10) << one.slowest() << std::setprecision(0)
            << std::setw(7) << spread(one) << " %" << std::setprecision(2) << std::setw(9)
            << ratio(results, one) << '\n';
    out << std::flush;
}

std::string to_json(const std::vector<result>& results, const effort& chosen)
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
             {"ns_per_item", one.median()},
             {"fastest", one.fastest()},
             {"slowest", one.slowest()},
             {"ratio_to_sluice", ratio(results, one)},
             {"rounds", one.rounds}}
        );
    return document.dump(2) + '\n';
}

}  // namespace sluice::bench
