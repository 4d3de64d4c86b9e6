// Puts secrets, hostile names and words of payload into logs, cuts them short, and looks for what
// of it comes out, and how, of every command:
//
//   xtrace_planter [--xtrace PROGRAM] [--one-in N] [--keep FOLDER] PATH...
//
// Of a folder, each file below it is an input by itself, and so is each folder that is in it. One
// in N of the cases is tried, always the same ones; without it, all are. What the logs were made to
// be stays in FOLDER.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "planter/leaks.h"
#include "planter/planting.h"
#include "planter/program.h"

using namespace xtrace;

namespace {

namespace fs = std::filesystem;

enum class Shape : uint8_t { json, lines, text, csv, other };

struct Ask {
  std::vector<std::string> words;
  Shape shape;
  bool twice = false;  ///< of two runs, which are the same
};

const std::vector<Ask>& asks() {
  static const std::vector<Ask> all = [] {
    using S = Shape;
    std::vector<Ask> all = {
        {{"dag", "-f", "both"}, S::json},
        {{"dag", "-f", "json", "--with", "content_reuse", "--with", "sequential"}, S::json},
        {{"dag", "-f", "json", "--with", "file_handoff", "--with", "session_handoff"}, S::json},
        {{"list", "--events", "-f", "json"}, S::json},
        {{"dag", "-f", "text", "--unfold"}, S::text},
        {{"dag", "--view", "explanation", "--show", "raw", "--hints", "-f", "json"}, S::json},
        {{"explain", "--node", "main", "-f", "text"}, S::text},
        {{"explain", "--node", "a", "-f", "json"}, S::json},
        {{"explain", "--node", "1", "-f", "mermaid"}, S::text},
        {{"impact", "--node", "main", "-f", "text"}, S::text},
        {{"impact", "--node", ":1", "-f", "json"}, S::json},
        {{"impact", "--node", ":1", "-f", "mermaid"}, S::text},
        {{"trust", "-f", "sequence"}, S::text},
        {{"trace", "--all", "-f", "json"}, S::json},
        {{"trace", "--all", "-f", "text"}, S::text},
        {{"trace", "--all", "-f", "csv"}, S::csv},
        {{"trace", "--all", "-f", "cypher"}, S::text},
        {{"assess", "--learn", "-f", "json"}, S::json},
        {{"assess", "--learn", "-f", "text"}, S::text},
        {{"eval", "--init"}, S::text},
        {{"advise", "--paste"}, S::text},
        {{"whatif", "--no-retries", "-f", "text"}, S::text},
        {{"follow", "--until-end"}, S::lines},
        {{"follow", "--until-end", "-f", "text"}, S::text},
        {{"convert", "--to", "otlp"}, S::lines},
        {{"convert", "--to", "jaeger"}, S::json},
        {{"convert", "--to", "atif"}, S::lines},
        {{"diff", "-f", "json"}, S::json, true},
        {{"diff", "-f", "text"}, S::text, true},
        {{"diff", "-f", "dot"}, S::text, true},
    };
    for (const char* view : {"calls", "actors", "explanation"})
      for (const char* format : {"json", "text", "csv", "markdown", "dot", "mermaid", "cypher",
                                 "graphml", "cytoscape", "d3"}) {
        const std::string_view name = format;
        const bool is_json = name == "json" || name == "cytoscape" || name == "d3";
        all.push_back({{"dag", "--view", view, "-f", format},
                       is_json         ? S::json
                       : name == "csv" ? S::csv
                                       : S::text});
      }
    for (const char* command : {"trust", "list", "stats"})
      for (const char* format : {"json", "text", "csv", "markdown"}) {
        const std::string_view name = format;
        all.push_back({{command, "-f", format},
                       name == "json"  ? S::json
                       : name == "csv" ? S::csv
                                       : S::text});
      }
    return all;
  }();
  return all;
}

/// Keys whose values are names and places, whatever they say: these are shown at any level. `Name`
/// is that of a span in rows of Azure Monitor.
const std::set<std::string, std::less<>> kNames = {"name", "Name", "operationName", "url"};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<fs::path> inputs_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> inputs;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (entry.is_directory()) inputs.push_back(entry.path());
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) inputs.push_back(entry.path());
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

bool is_database(std::string_view bytes) {
  return bytes.starts_with("SQLite format 3");
}

class Trial {
 public:
  Trial(std::string program, fs::path folder, size_t one_in)
      : program_(std::move(program)), folder_(std::move(folder)), one_in_(one_in) {}

  void of(const fs::path& input) {
    // A name that shows what was put where, and that the log's own name ends.
    const bool is_folder = fs::is_directory(input);
    for (unsigned turn = 0; turn <= Planting::kTurns; ++turn) {
      std::string name = fmt::format("{}-{}", input.string(), turn);
      std::replace(name.begin(), name.end(), '/', '_');
      const fs::path root = folder_ / name;
      Planting planting(input.string(), turn);
      const fs::path planted = root / input.filename();
      if (!is_folder) {
        const std::string log = read(input);
        write(planted, is_database(log) ? log : planting.plant(log));
      } else {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(input))
          if (entry.is_regular_file()) {
            const std::string log = read(entry.path());
            write(planted / fs::relative(entry.path(), input),
                  is_database(log) ? log : planting.plant(log));
          }
      }
      ask_all(input, planted, turn, planting);
      if (turn == 0 && !is_folder) cut(input, planted, planting);
      if (!keeps_) fs::remove_all(root);
    }
  }

  void keep() { keeps_ = true; }
  bool good() const { return faults_ == 0; }
  std::string summary() const {
    return fmt::format(
        "{} commands, {} answered, {} of them with words of payload at level full, {} faults",
        commands_.load(), answered_.load(), lively_.load(), faults_.load());
  }

 private:
  bool is_drawn(const std::string& name) const {
    return one_in_ <= 1 || std::hash<std::string>()(name) % one_in_ == 0;
  }

  void ask_all(const fs::path& input, const fs::path& planted, unsigned turn,
               const Planting& planting) {
    const Leaks leaks(planting.planted());
    for (size_t i = 0; i < asks().size(); ++i)
      for (const char* level : {"basic", "full"})
        if (is_drawn(fmt::format("{} {} {} {}", input.string(), turn, i, level)))
          try_out(input, fmt::format("turn {}", turn), asks()[i], level, planted, leaks);
  }

  /// At every third, fifth and ninth byte.
  void cut(const fs::path& input, const fs::path& planted, const Planting& planting) {
    const Leaks leaks(planting.planted());
    const std::string log = read(planted);
    for (size_t at = 1; at < log.size(); ++at) {
      if (at % 3 != 0 && at % 5 != 0) continue;  // what nine divides, three does
      // Of large logs as many as of small ones.
      if (log.size() > kCuts &&
          std::hash<std::string>()(fmt::format("{} {}", input.string(), at)) % log.size() >= kCuts)
        continue;
      const size_t which =
          std::hash<std::string>()(fmt::format("{} ask {}", input.string(), at)) % asks().size();
      if (!is_drawn(fmt::format("{} cut {}", input.string(), at))) continue;
      const fs::path shorter = planted.parent_path() / "cut" / planted.filename();
      write(shorter, log.substr(0, at));
      try_out(input, fmt::format("cut at {}", at), asks()[which], at % 2 == 0 ? "basic" : "full",
              shorter, leaks);
    }
  }

  void try_out(const fs::path& input, const std::string& how, const Ask& ask,
               const std::string& level, const fs::path& planted, const Leaks& leaks) {
    std::vector<std::string> words = ask.words;
    words.insert(words.end(), ask.twice ? 2 : 1, planted.string());
    words.insert(words.end(), {"--level", level, "-j", "1"});
    const Ran ran = run_program(program_, words);
    ++commands_;
    answered_ += ran.exit == 0 ? 1 : 0;
    auto fault = [&](const std::string& what) {
      ++faults_;
      std::string line;
      for (const std::string& word : words) line += ' ' + word;
      const std::lock_guard lock(saying_);
      std::cout << fmt::format("{}\t{}\txtrace{}\t{}\n", input.string(), how, line, what)
                << std::flush;
    };
    if (ran.is_late) return fault("takes too long");
    if (ran.signal != 0) return fault(fmt::format("ended by signal {}", ran.signal));
    if (ran.exit < 0 || ran.exit > 3) fault(fmt::format("exit status {}", ran.exit));
    if (ran.err.find("bug in xtrace") != std::string::npos) fault(ran.err);
    if (ran.exit != 0 && ran.err.empty() && ran.out.empty()) fault("says nothing");
    for (const std::string* said : {&ran.out, &ran.err})
      for (const Planted* leak : leaks.in(*said, level == "basic"))
        if (leak->kind == Planted::Kind::secret || !is_name(leak->where))
          fault(fmt::format("{} of {}: {}", leak->kind == Planted::Kind::secret ? "secret" : "word",
                            leak->where, leak->core));
    if (level == "full" && leaks.has_word(ran.out)) ++lively_;
    if (std::string loud = loud_in(ran.err, false); !loud.empty()) fault("standard error: " + loud);
    if (std::string loud = loud_in(ran.out, ask.shape == Shape::csv); !loud.empty()) fault(loud);
    if (ran.exit > 1 || ran.out.empty()) return;
    if (ask.shape == Shape::json && !nlohmann::json::accept(ran.out)) fault("not JSON");
    if (ask.shape == Shape::lines)
      for (size_t at = 0; at < ran.out.size();) {
        const size_t end = std::min(ran.out.find('\n', at), ran.out.size());
        if (!nlohmann::json::accept(ran.out.substr(at, end - at))) {
          fault("not JSON, line for line");
          break;
        }
        at = end + 1;
      }
  }

  static bool is_name(std::string_view where) {
    // OTLP has a value in an object of its own.
    if (where.ends_with("/stringValue"))
      where.remove_suffix(std::string_view("/stringValue").size());
    return kNames.contains(where.substr(where.rfind('/') + 1));
  }

  static constexpr size_t kCuts = 120;
  std::string program_;
  fs::path folder_;
  size_t one_in_;
  bool keeps_ = false;
  std::mutex saying_;
  std::atomic<size_t> commands_ = 0, answered_ = 0, lively_ = 0, faults_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::string program = "build/release/xtrace", kept;
  size_t one_in = 1;
  std::vector<fs::path> inputs;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (i + 1 < argc && word == "--xtrace") {
        program = argv[++i];
      } else if (i + 1 < argc && word == "--one-in") {
        one_in = std::stoul(argv[++i]);
      } else if (i + 1 < argc && word == "--keep") {
        kept = argv[++i];
      } else {
        std::vector<fs::path> more = inputs_of(word);
        inputs.insert(inputs.end(), more.begin(), more.end());
      }
    }
    std::string folder =
        kept.empty() ? (fs::temp_directory_path() / "xtrace-planter-XXXXXX").string() : kept;
    if (kept.empty() && mkdtemp(folder.data()) == nullptr)
      throw std::runtime_error("cannot make a folder");
    Trial trial(program, folder, one_in);
    if (!kept.empty()) trial.keep();
    std::atomic<size_t> next = 0;
    std::atomic<bool> failed = false;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back([&] {
        try {
          for (size_t at; !failed && (at = next++) < inputs.size();) trial.of(inputs[at]);
        } catch (const std::exception& error) {
          failed = true;
          std::cerr << "xtrace_planter: " << error.what() << '\n';
        }
      });
    for (std::thread& thread : threads) thread.join();
    if (kept.empty()) fs::remove_all(folder);
    std::cout << fmt::format("{} inputs, {}\n", inputs.size(), trial.summary());
    return failed ? 2 : trial.good() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "xtrace_planter: " << error.what() << '\n';
    return 2;
  }
}
