// Does what readers and linkers do with a worst case grow as the input does? Told by steps, never
// by time:
//
//   xtrace_linear CASE...              counts them at 1,000 and 10,000, in a build that counts
//   xtrace_linear --answers CASE...    the same of whole commands, for scripts/soak
//   xtrace_linear --list               names the cases
//   xtrace_linear --commands           and the commands
//   xtrace_linear --make CASE N PATH   writes one

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <span>
#include <sstream>
#include <string_view>

#include "base/steps.h"
#include "cli/command.h"
#include "input/load.h"
#include "linear/worst_case.h"
#include "link/activities/call_sizes.h"
#include "link/activities/paid_again.h"
#include "link/graph/graph.h"
#include "link/waste/waste.h"
#include "reading.h"

namespace xtrace {

namespace {

constexpr size_t kFew = 1'000, kMany = 10'000;
/// Fewer of them are no matter, however they grow.
constexpr uint64_t kCheap = 1'000'000;

void write(const WorstCase& one, size_t n, const std::string& path) {
  std::string text = one.make(n);
  if (!one.is_folder) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::filesystem::create_directories(path);
  size_t begin = 0, file = 0;
  for (size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
    std::ofstream(fmt::format("{}/{}.jsonl", path, file++), std::ios::binary)
        << text.substr(begin, end + 1 - begin);
}

/// What was done, and the steps that it took.
using Account = std::vector<std::pair<std::string, uint64_t>>;

class Bookkeeper {
 public:
  template <class Work>
  auto count(const std::string& what, const Work& work) {
    uint64_t before = steps_taken();
    auto result = work();
    account_.emplace_back(what, steps_taken() - before);
    return result;
  }
  Account account() { return std::move(account_); }

 private:
  Account account_;
};

Account account_of(const WorstCase& one, size_t n) {
  Folder folder;
  const std::string path = folder.path() + (one.is_folder ? "/logs" : "/log.jsonl");
  write(one, n, path);
  Bookkeeper books;
  LoadOptions loading;
  loading.jobs = 1;  // steps are counted on this thread
  Progress progress;
  Trace trace = books.count("read", [&] { return load({path}, loading, progress).value(); });
  Graph graph = books.count("link", [&] { return link(std::move(trace), {}); });
  books.count("hops of calls", [&] { return graph.joined_hops().all.size(); });
  books.count("activities", [&] { return graph.activities().all.size(); });
  books.count("story", [&] { return graph.story()->nodes.size(); });
  CallSizeMeter said(graph.trace(), nullptr);
  std::vector<uint32_t> links(graph.links().size());
  std::iota(links.begin(), links.end(), 0);
  const ShownCalls shown{[](CallId) { return true; }, links};
  const PaidAgain again =
      books.count("paid again", [&] { return find_paid_again(graph, nullptr, said, shown); });
  books.count("waste", [&] {
    return find_waste({graph, nullptr, shown, again.carried, again.rebuilds}).size();
  });
  return books.account();
}

/// What is asked of each case, for whoever asks all of it.
constexpr const char* kCommands[] = {"dag -f json",
                                     "impact --node :1 -f json",
                                     "blame -f json",
                                     "dag --view explanation -f json",
                                     "dag -f json --level full",
                                     "stats -f json",
                                     "advise -f json",
                                     "whatif -f json",
                                     "list --events -f json",
                                     "trust -f json",
                                     "trace --all -f json",
                                     "convert --to otlp",
                                     "taint -f json --fail-on never --sink answer",
                                     "diff"};

/// The steps of whole answers, from the words of the command on.
Account answers_to(const WorstCase& one, size_t n) {
  Folder folder;
  const std::string path = folder.path() + (one.is_folder ? "/logs" : "/log.jsonl");
  write(one, n, path);
  Bookkeeper books;
  for (const std::string command : kCommands) {
    std::istringstream told(command + " -j 1 -o " + folder.path() + "/answer");
    std::vector<std::string> words{std::istream_iterator<std::string>(told), {}};
    words.insert(words.end(), command == "diff" ? 2 : 1, path);
    books.count(command, [&] {
      Result<Command> read = read_command_line(words);
      Result<Exit> exit = read.and_then([](Command& it) { return run(std::get<Request>(it)); });
      if (!exit) print_error(exit.error());
      return exit.has_value();
    });
  }
  return books.account();
}

/// False, and told, where something grows faster than its input.
bool is_linear(const WorstCase& one, Account (*account_of)(const WorstCase&, size_t)) {
  Account few = account_of(one, kFew), many = account_of(one, kMany);
  bool all = true;
  for (size_t i = 0; i < many.size(); ++i) {
    const auto& [what, steps] = many[i];
    double growth =
        std::log10(static_cast<double>(steps) / static_cast<double>(few[i].second + 1)) /
        std::log10(static_cast<double>(kMany) / kFew);
    bool fits = steps < kCheap || growth <= one.most;
    all &= fits;
    std::cout << fmt::format("{:<38} {:<32} {:>12} {:>14} {:6.2f}{}\n", one.name, what,
                             few[i].second, steps, growth, fits ? "" : "  TOO FAST");
  }
  return all;
}

int serve(std::span<char*> words) {
  const std::vector<WorstCase> cases = worst_cases();
  auto find = [&](std::string_view name) {
    for (const WorstCase& one : cases)
      if (one.name == name) return one;
    std::cerr << fmt::format("no case is called {}\n", name);
    std::exit(2);
  };
  const std::string_view first = words.empty() ? "" : words[0];
  if (first == "--list") {
    for (const WorstCase& one : cases) std::cout << one.name << '\n';
    return 0;
  }
  if (first == "--make" && words.size() == 4) {
    write(find(words[1]), std::strtoul(words[2], nullptr, 10), words[3]);
    return 0;
  }
  if (first == "--commands") {
    for (const char* command : kCommands) std::cout << command << '\n';
    return 0;
  }
  bool all = true;
  const bool answers = first == "--answers";
  for (std::string_view name : words.subspan(answers ? 1 : 0))
    all &= is_linear(find(name), answers ? answers_to : account_of);
  return all ? 0 : 1;
}

}  // namespace

}  // namespace xtrace

int main(int count, char** words) {
  return xtrace::serve(std::span(words, static_cast<size_t>(count)).subspan(1));
}
