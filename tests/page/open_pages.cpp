// Opens pages in a browser and holds what they say of themselves against the JSON of the same
// command:
//
//   xtrace_pages [--xtrace PROGRAM] [--chromium PROGRAM] PATH... [--diff OLD NEW]... [--of
//   COMMAND]...
//
// from the root of the project. The page of a diff holds what both runs have; that of any other
// command, such as `trust FILE`, has to open and to draw all that it has.
//
// A page that is opened at `#selftest` checks itself and writes down what it holds.

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Programs {
  std::string xtrace = "build/release/xtrace";
  std::string chromium = "chromium";
};

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text(size_t{1} << 16, '\0');
  size_t length = 0;
  while (size_t count = fread(text.data() + length, 1, text.size() - length, pipe)) {
    length += count;
    if (length == text.size()) text.resize(2 * length);
  }
  pclose(pipe);
  text.resize(length);
  return text;
}

std::string quoted(const std::string& word) {
  return "'" + word + "'";
}

/// What is between two texts; empty if they are not both there.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  const size_t to = text.find(end, from);
  return to == std::string::npos ? std::string()
                                 : text.substr(from + begin.size(), to - from - begin.size());
}

/// The report of a page; empty if it writes none. Virtual time does not wait for all that a page
/// unpacks, so one that is missing is tried again with more of it; a report is final.
std::string report_of(const Programs& programs, const fs::path& page) {
  for (int budget : {5000, 20000, 60000, 240000, 960000}) {
    const fs::path profile = page.parent_path() / "profile";
    const std::string dom = output_of(
        fmt::format("{} --headless --no-sandbox --disable-gpu --user-data-dir={} "
                    "--host-resolver-rules='MAP * ~NOTFOUND' --virtual-time-budget={} --dump-dom "
                    "'file://{}#selftest'",
                    programs.chromium, quoted(profile.string()), budget, page.string()));
    fs::remove_all(profile);
    if (std::string report = between(dom, "<pre id=\"selftest\">", "</pre>"); !report.empty())
      return report;
  }
  return {};
}

int64_t whole(const Json& node, std::initializer_list<const char*> keys, double unit) {
  for (const char* key : keys)
    if (node.contains(key)) return std::llround(node[key].get<double>() * unit);
  return 0;
}

bool has_failed(const Json& node) {
  std::string status = node.value("status", "");
  std::transform(status.begin(), status.end(), status.begin(),
                 [](char c) { return std::tolower(c); });
  return status == "error" || status == "failed";
}

/// What the page has to say, as the answer has it.
std::map<std::string, std::string> facts_of(const Json& answer) {
  int64_t errors = 0, guesses = 0, cost = 0, duration = 0, in_all = 0, sent = 0, cost_more = 0;
  std::vector<std::string>
      ids;  // the order of UTF-8 is that of UTF-16 where no id needs surrogates
  for (const Json& node : answer["nodes"]) {
    errors += has_failed(node);
    cost += whole(node, {"cost_usd", "costUsd"}, 1e9);
    in_all += whole(node, {"subtree_cost_usd", "cost_usd", "costUsd"}, 1e9);
    const Json tokens = node.value("tokens", Json::object());
    for (const char* kind : {"input", "cache_read", "cache_creation"})
      sent += tokens.value(kind, int64_t{0});
    cost_more += tokens.value("output_is_low", false) ||
                 (!node.contains("cost_usd") && tokens.contains("total") && node.contains("model"));
    duration += std::max<int64_t>(0, whole(node, {"duration_ms", "latencyMs"}, 1000));
    ids.push_back(node["id"]);
  }
  for (const Json& edge : answer["edges"]) guesses += edge.value("confidence", 1.0) < 0.95;
  std::sort(ids.begin(), ids.end());
  const std::string all = fmt::format("{}", fmt::join(ids, "\n"));
  const unsigned long crc =
      crc32(0, reinterpret_cast<const Bytef*>(all.data()), static_cast<uInt>(all.size()));
  return {
      {"nodes", std::to_string(ids.size())},     {"edges", std::to_string(answer["edges"].size())},
      {"errors", std::to_string(errors)},        {"guesses", std::to_string(guesses)},
      {"in_all_nusd", std::to_string(in_all)},   {"tokens_sent", std::to_string(sent)},
      {"cost_more", std::to_string(cost_more)},  {"cost_nusd", std::to_string(cost)},
      {"duration_us", std::to_string(duration)}, {"ids_crc32", fmt::format("{:08x}", crc)}};
}

/// Returns what is wrong, a line each.
std::vector<std::string> faults_of(const fs::path& page, const std::string& report,
                                   const Json* answer) {
  if (!report.starts_with("xtrace-selftest/1\n"))
    return {fs::exists(page)
                ? fmt::format("the page, {} bytes, wrote no report", fs::file_size(page))
                : "there is no page"};
  std::vector<std::string> faults;
  std::map<std::string, std::string> said;
  std::istringstream lines(report);
  std::string line, last;
  for (; std::getline(lines, line); last = line) {
    if (line.starts_with("FAIL")) faults.push_back(line);
    std::istringstream words(line);
    std::string kind, name, value;
    if (words >> kind >> name >> value; kind == "fact") said[name] = value;
  }
  if (!last.starts_with("result ok")) faults.push_back(last);
  if (answer == nullptr) return faults;
  for (const auto& [name, value] : facts_of(*answer))
    if (said[name] != value)
      faults.push_back(fmt::format("{}: the page says {}, the answer {}", name, said[name], value));
  return faults;
}

std::string crc_of(const std::string& text) {
  return fmt::format("{:08x}", crc32(0, reinterpret_cast<const Bytef*>(text.data()),
                                     static_cast<uInt>(text.size())));
}

/// Is the way from the root to the last row, as the page shows it, the one that `explain --unfold`
/// tells? Empty: it is, or `explain` tells none.
std::string chain_fault(const Programs& programs, const std::string& input,
                        const std::string& report) {
  const std::string last = between(report, "fact last ", "\n");
  if (last.empty() || last.find('\'') != std::string::npos) return {};
  const Json why = Json::parse(output_of(fmt::format("{} explain {} --node {} --unfold -q -f json",
                                                     programs.xtrace, quoted(input), quoted(last))),
                               nullptr, false);
  if (why.is_discarded() || why.value("cause_groups", Json::array()).empty()) return {};
  std::string chain;
  const Json& path = why["cause_groups"][0]["full_path"];
  if (path.empty() || path.back() != last) return {};
  // Those of spans name actors.
  for (const Json& id : path)
    if (id.get<std::string>().find(':') != std::string::npos) return {};
  for (const Json& id : path) chain += (chain.empty() ? "" : "\n") + id.get<std::string>();
  return between(report, "fact chain_crc32 ", "\n") == crc_of(chain)
             ? ""
             : fmt::format("the way to {} is not that of explain: {}", last, path.dump());
}

Json answer_of(const Programs& programs, const std::string& input) {
  return Json::parse(
      output_of(fmt::format("{} dag {} --view calls -q -f json", programs.xtrace, quoted(input))),
      nullptr, false);
}

/// Writes a page and opens it: does it say the same as the answers, one after the other? Without
/// inputs it is asked for its own faults alone.
bool agrees(const Programs& programs, const std::string& command,
            const std::vector<std::string>& inputs, const fs::path& folder) {
  const fs::path page = folder / "page.html";
  fs::remove(page);
  output_of(fmt::format("{} {} -q -f html -o {}", programs.xtrace, command, quoted(page.string())));
  Json all = {{"nodes", Json::array()}, {"edges", Json::array()}};
  std::vector<std::string> faults;
  for (const std::string& input : inputs) {
    const Json answer = answer_of(programs, input);
    if (answer.is_discarded() || !answer.contains("nodes")) {
      faults.push_back(input + ": no answer");
      continue;
    }
    for (auto& [key, list] : all.items())
      list.insert(list.end(), answer[key].begin(), answer[key].end());
  }
  if (faults.empty()) {
    const std::string report = report_of(programs, page);
    faults = faults_of(page, report, inputs.empty() ? nullptr : &all);
    if (inputs.size() == 1)
      if (std::string fault = chain_fault(programs, inputs.front(), report); !fault.empty())
        faults.push_back(std::move(fault));
  }
  std::cout << (faults.empty() ? "ok      " : "FAILED  ") << command << '\n';
  for (const std::string& fault : faults) std::cout << "        " << fault << '\n';
  return faults.empty();
}

int check(std::vector<std::string> words) {
  Programs programs;
  std::vector<std::string> inputs, others;
  std::vector<std::pair<std::string, std::string>> compared;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--xtrace" && i + 1 < words.size())
      programs.xtrace = words[++i];
    else if (words[i] == "--chromium" && i + 1 < words.size())
      programs.chromium = words[++i];
    else if (words[i] == "--diff" && i + 2 < words.size()) {
      compared.emplace_back(words[i + 1], words[i + 2]);
      i += 2;
    } else if (words[i] == "--of" && i + 1 < words.size())
      others.push_back(words[++i]);
    else
      inputs.push_back(words[i]);
  }
  if (output_of(programs.chromium + " --version").empty()) {
    std::cerr << "no browser: install the Debian package 'chromium'\n";
    return 1;
  }
  const fs::path folder = fs::temp_directory_path() / fmt::format("xtrace_pages.{}", getpid());
  fs::create_directories(folder);
  size_t failed = 0;
  for (const std::string& input : inputs)
    failed += !agrees(programs, fmt::format("dag {} --view calls", quoted(input)), {input}, folder);
  for (const auto& [before, now] : compared)
    failed += !agrees(programs, fmt::format("diff {} {}", quoted(before), quoted(now)),
                      {now, before}, folder);
  for (const std::string& command : others) failed += !agrees(programs, command, {}, folder);
  fs::remove_all(folder);
  return failed > 0 || inputs.empty() ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return check({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << "pages: " << error.what() << '\n';
    return 1;
  }
}
