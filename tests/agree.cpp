// Asks every command for the figures that it shows of the same input, and compares them number by
// number:
//
//   xtrace_agree [--xtrace PROGRAM] [--made NUMBER] PATH...     from the root of the project
//
// `--made`: also so many made sessions of agents, whose true usage is compared as well. Of a
// folder, each file below it is an input by itself, and so is each folder that is in it. No figure
// may differ.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "input/transcripts/made_usage.h"

namespace {

namespace fs = std::filesystem;
using namespace xtrace;
using Json = nlohmann::json;

/// What each command says of each figure of one input.
class Figures {
 public:
  void add(const std::string& figure, const std::string& command, std::optional<double> value) {
    // Sums of rounded dollars are rounded again.
    if (value) said_[figure].emplace_back(std::round(*value * 1e9) / 1e9, command);
  }
  std::optional<double> of(const std::string& figure, const std::string& command) const {
    auto found = said_.find(figure);
    if (found == said_.end()) return {};
    for (const auto& [value, by] : found->second)
      if (by == command) return value;
    return {};
  }
  /// `7: dag; 10: convert, stats`, of each figure on which they differ.
  std::map<std::string, std::string> differences() const {
    std::map<std::string, std::string> found;
    for (auto [figure, said] : said_) {
      std::stable_sort(said.begin(), said.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      if (is_same(figure, said.front().first, said.back().first)) continue;
      std::string words;
      for (size_t i = 0; i < said.size(); ++i) {
        if (i > 0 && is_same(figure, said[i - 1].first, said[i].first))
          words += ", " + said[i].second;
        else
          words += fmt::format("{}{:.10g}: {}", i > 0 ? "; " : "", said[i].first, said[i].second);
      }
      found[figure] = words;
    }
    return found;
  }

 private:
  static bool is_same(const std::string& figure, double a, double b) {
    // Dollars are rounded where they are shown, and sums of them are not.
    return figure.starts_with("cost") ? std::abs(a - b) < 1e-7 : a == b;
  }
  std::map<std::string, std::vector<std::pair<double, std::string>>> said_;
};

class Program {
 public:
  explicit Program(std::string path) : path_(std::move(path)) {
    std::string name = (fs::temp_directory_path() / "xtrace-agree-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    folder_ = name;
  }
  ~Program() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// What it prints; nothing where it refuses. Answers of no and yes both count.
  std::optional<std::string> run(const std::vector<std::string>& words) const {
    std::string line = "timeout 60 " + quoted(path_);
    for (const std::string& word : words) line += ' ' + quoted(word);
    FILE* out = popen((line + " 2> /dev/null < /dev/null").c_str(), "r");
    if (out == nullptr) throw std::runtime_error("cannot run " + path_);
    std::string text;
    char buffer[1 << 16];
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, out)) > 0;)
      text.append(buffer, count);
    int status = pclose(out);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) return {};
    return text;
  }
  std::optional<Json> ask(std::vector<std::string> words) const {
    words.insert(words.end(), {"-q", "-f", "json"});
    std::optional<std::string> text = run(words);
    if (!text) return {};
    Json answer = Json::parse(*text, nullptr, false);
    if (answer.is_discarded()) return {};
    return answer;
  }
  std::string keep(const std::string& name, const std::string& text) const {
    fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

 private:
  static std::string quoted(const std::string& word) {
    std::string text = "'";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
  }
  std::string path_;
  fs::path folder_;
};

std::optional<double> number(const Json& object, const std::string& key) {
  if (!object.is_object()) return {};
  auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return {};
  return found->get<double>();
}

/// The sum of a figure over rows; none where no row has it.
std::optional<double> sum(const Json& rows, const std::string& key, const std::string& in = {}) {
  std::optional<double> sum;
  if (!rows.is_array()) return sum;
  for (const Json& row : rows) {
    const Json& object = in.empty() ? row : row.contains(in) ? row[in] : Json::object();
    if (std::optional<double> value = number(object, key)) sum = sum.value_or(0) + *value;
  }
  return sum;
}

constexpr const char* kTokens[] = {"input", "output", "cache_read", "cache_creation"};

void add_sums(Figures& figures, const std::string& command, const Json& rows) {
  if (!rows.is_array() || rows.empty()) return;
  for (const char* key : {"calls", "errors", "retries"}) figures.add(key, command, sum(rows, key));
  for (const char* key : kTokens)
    figures.add(fmt::format("tokens.{}", key), command, sum(rows, key, "tokens"));
  figures.add("cost", command, sum(rows, "cost_usd"));
}

/// Zero where the answer leaves out what nobody used.
void add_totals(Figures& figures, const std::string& command, const Json& stats) {
  const Json& totals = stats["totals"];
  for (const char* key : {"calls", "errors", "retries", "agents", "sessions", "tool_uses",
                          "tool_errors", "tool_results", "spawned"})
    figures.add(key, command, number(totals, key));
  if (totals.contains("tokens"))
    for (const char* key : kTokens)
      figures.add(fmt::format("tokens.{}", key), command, number(totals["tokens"], key));
  figures.add("cost", command, number(totals, "cost_usd"));
}

void add_stats(Figures& figures, const Json& stats, bool is_of_calls) {
  add_totals(figures, "stats", stats);
  if (const Json& totals = stats["totals"]; totals.contains("tokens"))
    figures.add("tokens.total", "stats", number(totals["tokens"], "total"));
  add_sums(figures, "stats.models", stats["models"]);
  add_sums(figures, "stats.providers", stats["providers"]);
  if (!is_of_calls) return;
  add_sums(figures, "stats.agents", stats["agents"]);
  figures.add("agents", "stats.agents", sum(stats["agents"], "instances"));
  figures.add("tool_uses", "stats.tools", sum(stats["tools"], "uses"));
  figures.add("tool_errors", "stats.tools", sum(stats["tools"], "errors"));
}

bool is_recorded(const Json& node) {
  return node.value("status", "") != "not_recorded";
}

/// What no call accounts for, to be added to a sum of calls.
std::optional<double> with_unplaced(std::optional<double> sum_of_calls, const Json& answer,
                                    const std::string& key, const std::string& in = {}) {
  const std::optional<double> more = sum(answer.value("unplaced", Json::array()), key, in);
  if (!sum_of_calls && !more) return {};
  return sum_of_calls.value_or(0) + more.value_or(0);
}

/// `has_runs`: the input also has runs of spans, whose agents and tools this answer omits.
void add_calls(Figures& figures, const Json& dag, bool has_runs) {
  std::set<std::string> agents, retried;
  double calls = 0, errors = 0, uses = 0;
  Json recorded = Json::array();
  for (const Json& node : dag["nodes"]) {
    if (node.contains("agent"))
      agents.insert(node.value("session", "") + '\n' + node["agent"].value("id", ""));
    if (!is_recorded(node)) continue;
    ++calls;
    errors += node.value("status", "") == "error" ? 1 : 0;
    if (node.contains("tool_uses")) uses += static_cast<double>(node["tool_uses"].size());
    recorded.push_back(node);
  }
  for (const Json& edge : dag["edges"])
    if (edge.value("type", "") == "retry") retried.insert(edge.value("target", ""));
  figures.add("calls", "dag", with_unplaced(calls, dag, "calls"));
  figures.add("errors", "dag", with_unplaced(errors, dag, "errors"));
  if (!has_runs) figures.add("agents", "dag", static_cast<double>(agents.size()));
  figures.add("retries", "dag", with_unplaced(static_cast<double>(retried.size()), dag, "retries"));
  if (!has_runs) figures.add("tool_uses", "dag", uses);
  for (const char* key : kTokens)
    figures.add(fmt::format("tokens.{}", key), "dag",
                with_unplaced(sum(recorded, key, "tokens"), dag, key, "tokens"));
  figures.add("cost", "dag", with_unplaced(sum(recorded, "cost_usd"), dag, "cost_usd"));
  figures.add("cost", "dag.metrics", number(dag["metrics"], "total_cost_usd"));
  figures.add("spawned", "dag.metrics", number(dag["metrics"], "subagent_spawn_count"));
}

/// The tables of sessions and agents, which `dag` and `list` both have. Where the input also has
/// `runs` of spans, these tables have neither their agents nor their tools.
void add_sessions(Figures& figures, const std::string& command, const Json& answer, double runs) {
  // Sessions have their own rows in their sums; agents have none.
  Json sessions = answer["sessions"], agents_with = answer["agents"];
  std::set<std::string> known;
  for (const Json& session : sessions) known.insert(session.value("id", ""));
  for (Json row : answer.value("unplaced", Json::array())) {
    row.erase("retries");  // neither of the two tables counts any
    if (!known.contains(row.value("session", ""))) sessions.push_back(row);
    agents_with.push_back(row);
  }
  add_sums(figures, command + ".sessions", sessions);
  figures.add("sessions", command, static_cast<double>(answer["sessions"].size()) + runs);
  add_sums(figures, command + ".agents", agents_with);
  if (runs > 0) return;
  figures.add("agents", command + ".sessions", sum(answer["sessions"], "agents"));
  figures.add("agents", command + ".agents", sum(answer["agents"], "instances"));
  double uses = 0;
  for (const Json& agent : answer["agents"])
    if (agent.contains("tools")) uses += sum(agent["tools"], "uses").value_or(0);
  figures.add("tool_uses", command + ".agents", uses);
}

void add_spans(Figures& figures, const Json& dag, const Json& list, const Json& stats) {
  double errors = 0;
  Json models = Json::array();
  std::set<std::string> agents;
  for (const Json& node : dag["nodes"]) {
    errors += node.value("status", "") == "error" ? 1 : 0;
    if (node.contains("agent") && node["agent"].contains("name"))
      agents.insert(node.value("run", "") + '\n' + node["agent"].value("name", ""));
    if (node.contains("tokens")) models.push_back(node);
  }
  figures.add("agents", "dag", static_cast<double>(agents.size()));
  if (!models.empty())
    for (const char* key : kTokens)
      figures.add(fmt::format("tokens.{}", key), "dag", sum(models, key, "tokens"));
  figures.add("cost", "dag", sum(dag["nodes"], "cost_usd"));
  figures.add("spans", "dag", static_cast<double>(dag["nodes"].size()));
  figures.add("spans", "dag.metrics", number(dag["metrics"], "total_nodes"));
  figures.add("spans", "stats.operations", sum(stats["operations"], "times").value_or(0));
  figures.add("spans", "list", sum(list["runs"], "hops"));
  figures.add("failed spans", "dag", errors);
  figures.add("failed spans", "stats.operations", sum(stats["operations"], "errors").value_or(0));
  figures.add("failed spans", "list", sum(list["runs"], "errors"));
}

/// The members of an answer, whether one stands flat or several in a list.
Json members(const Json& answer, const char* key) {
  return answer.contains(key) ? answer[key] : Json::array({answer});
}

void add_traces(Figures& figures, const Json& answer) {
  Json metrics = Json::array();
  for (const Json& trace : members(answer, "traces"))
    if (trace.contains("metrics")) metrics.push_back(trace["metrics"]);
  figures.add("tokens.input", "trace", sum(metrics, "total_tokens_in"));
  figures.add("tokens.output", "trace", sum(metrics, "total_tokens_out"));
  figures.add("tokens.cache_read", "trace", sum(metrics, "total_tokens_cache_read"));
  figures.add("tokens.cache_creation", "trace", sum(metrics, "total_tokens_cache_creation"));
  figures.add("cost", "trace", sum(metrics, "total_cost_usd"));
  figures.add("calls", "trace", sum(metrics, "calls"));
  figures.add("errors", "trace", sum(metrics, "failed_calls"));
  figures.add("retries", "trace", sum(metrics, "retries"));
}

/// Into how many calls it went, of some actors, by the graph of actors and by explain and trust.
void add_actors(Figures& figures, const Program& program, const std::string& input) {
  std::optional<Json> actors = program.ask({"dag", "--view", "actors", input});
  std::optional<Json> trust = program.ask({"trust", input});
  if (!actors || !trust) return;
  std::map<std::string, double> into, through;
  for (const Json& run : members(*actors, "runs"))
    for (const Json& edge : run.value("edges", Json::array()))
      into[edge.value("target", "")] += edge.value("logical_count", 0.0);
  for (const Json& run : members(*trust, "runs"))
    for (const Json& event : run.value("trust_chain", Json::array()))
      if (event.contains("source") && event["source"].is_string())  // an edge needs one
        through[event.value("target", "")] += event.value("occurrences", 0.0);
  constexpr size_t kMost = 3;
  size_t asked = 0;
  for (const auto& [actor, count] : into) {
    figures.add("calls into " + actor, "actors", count);
    figures.add("calls into " + actor, "trust", through[actor]);
    if (++asked > kMost) continue;
    std::optional<Json> why = program.ask({"explain", input, "--node", actor});
    if (!why) continue;
    double groups = 0;
    for (const Json& run : members(*why, "runs"))
      for (const Json& group : run.value("cause_groups", Json::array()))
        if (group.contains("accessor") && group["accessor"].is_string())
          groups += group.value("span_count", 0.0);
    figures.add("calls into " + actor, "explain", groups);
  }
}

/// Is a limit kept at the figure that `stats` shows, and overstepped one below? Of the figure of
/// `eval` only the side is known on which it lies.
void add_limits(Figures& figures, const Program& program, const std::string& input) {
  double tokens = 0;
  for (const char* key : kTokens)
    tokens += figures.of(fmt::format("tokens.{}", key), "stats").value_or(0);
  const std::tuple<const char*, const char*, double, double> limits[] = {
      {"calls", "calls", figures.of("calls", "stats").value_or(0), 1},
      {"tokens", "tokens", tokens, 1},
      {"cost", "cost_usd", figures.of("cost", "stats").value_or(0), 1e-6}};
  for (const auto& [figure, limit, value, step] : limits) {
    if (value < step) continue;
    if (figure == std::string_view("tokens")) figures.add(figure, "stats", value);
    std::string suite = program.keep(
        "suite.yaml", fmt::format("scenarios:\n  - id: at\n    limits: {{{0}: {1:.9f}}}\n"
                                  "  - id: below\n    limits: {{{0}: {2:.9f}}}\n",
                                  limit, value + (step < 1 ? 1e-8 : 0), value - step));
    if (step == 1)
      suite = program.keep("suite.yaml",
                           fmt::format("scenarios:\n  - id: at\n    limits: {{{0}: {1:.0f}}}\n"
                                       "  - id: below\n    limits: {{{0}: {2:.0f}}}\n",
                                       limit, value, value - step));
    std::optional<Json> verdicts = program.ask({"eval", suite, input});
    if (!verdicts || (*verdicts)["scenarios"].size() != 2) continue;
    // Where evidence is insufficient, it has no figure to show.
    bool is_more = (*verdicts)["scenarios"][0].value("status", "") == "failed";
    bool is_less = (*verdicts)["scenarios"][1].value("status", "") == "passed";
    figures.add(figure, "eval", is_more ? value + step : is_less ? value - step : value);
  }
}

/// Flame graphs show what is known, so that without a figure of stats there is none to compare.
void add_stacks(Figures& figures, const Program& program, const std::string& input) {
  for (const auto& [figure, weight, unit] :
       {std::tuple("cost", "cost", 1e9), std::tuple("tokens.total", "tokens", 1.0)}) {
    std::optional<std::string> folded =
        program.run({"convert", "-q", input, "--to", "folded", "--weight", weight});
    if (!folded || !figures.of(figure, "stats")) continue;
    double sum = 0;
    std::istringstream lines(*folded);
    for (std::string line; std::getline(lines, line);)
      sum += std::stod(line.substr(line.rfind(' ') + 1));
    figures.add(figure, "convert.folded", sum / unit);
  }
}

std::optional<Figures> ask_all(const Program& program, const std::string& input) {
  std::optional<Json> stats = program.ask({"stats", input});
  std::optional<Json> dag = program.ask({"dag", "--view", "calls", input});
  std::optional<Json> list = program.ask({"list", input});
  if (!stats || !dag || !list) return {};
  Figures figures;
  bool is_of_calls = dag->contains("sessions");
  add_stats(figures, *stats, is_of_calls);
  if (is_of_calls) {
    const double runs = number((*stats)["totals"], "runs").value_or(0);
    add_calls(figures, *dag, runs > 0);
    add_sessions(figures, "dag", *dag, runs);
    add_sessions(figures, "list", *list, runs);
  } else {
    add_spans(figures, *dag, *list, *stats);
  }
  if (std::optional<Json> traces = program.ask({"trace", "--all", input}))
    add_traces(figures, *traces);
  if (std::optional<std::string> spans = program.run({"convert", "-q", input, "--to", "otlp"});
      spans && !spans->empty())
    if (std::optional<Json> again = program.ask({"stats", program.keep("spans.jsonl", *spans)}))
      add_totals(figures, "convert", *again);
  add_stacks(figures, program, input);
  add_actors(figures, program, input);
  if (figures.of("sessions", "stats").value_or(0) == 1) add_limits(figures, program, input);
  return figures;
}

std::vector<std::string> inputs_of(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> inputs;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (entry.is_directory()) inputs.push_back(entry.path().string());
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) inputs.push_back(entry.path().string());
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

/// A session whose usage is known.
struct MadeInput {
  std::string path;
  Tokens truth;
};

MadeInput make_input(const Program& program, uint32_t seed) {
  const MadeUsage made = make_usage(seed);
  const std::string folder = fmt::format("{} {}", seed, made.shape);
  for (const MadeUsage::File& file : made.files) program.keep(folder + '/' + file.name, file.text);
  return {fs::path(program.keep(folder + "/README", "")).parent_path().string(), made.truth};
}

void add_truth(Figures& figures, const Tokens& truth) {
  figures.add("tokens.input", "truth", static_cast<double>(truth.input));
  figures.add("tokens.output", "truth", static_cast<double>(truth.output));
  if (truth.cache_read > 0)
    figures.add("tokens.cache_read", "truth", static_cast<double>(truth.cache_read));
  if (truth.cache_creation > 0)
    figures.add("tokens.cache_creation", "truth", static_cast<double>(truth.cache_creation));
}

bool is_of_usage(const std::string& figure) {
  return figure.starts_with("tokens") || figure == "cost" || figure == "calls";
}

/// Reports where commands differ. Returns whether they do not.
bool check(const std::string& input, const Figures& figures, bool is_made = false) {
  bool good = true;
  for (const auto& [figure, said] : figures.differences()) {
    // A converted log has one agent for sessions that go on from one another.
    if (is_made && !is_of_usage(figure)) continue;
    good = false;
    std::cout << fmt::format("{}\t{}\t{}\n", input, figure, said) << std::flush;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path = "build/release/xtrace";
  bool good = true;
  try {
    std::vector<std::string> inputs;
    uint32_t made = 0;
    for (int i = 1; i < argc; ++i) {
      std::string word = argv[i];
      if (word == "--made" && i + 1 < argc) {
        made = static_cast<uint32_t>(std::stoul(argv[++i]));
        continue;
      }
      if (word == "--xtrace" && i + 1 < argc) {
        path = argv[++i];
        continue;
      }
      std::vector<std::string> more = inputs_of(word);
      inputs.insert(inputs.end(), more.begin(), more.end());
    }
    Program program(path);
    size_t usable = 0;
    for (const std::string& input : inputs) {
      std::optional<Figures> figures = ask_all(program, input);
      if (!figures) continue;
      ++usable;
      good &= check(input, *figures);
    }
    for (uint32_t seed = 0; seed < made; ++seed) {
      const MadeInput input = make_input(program, seed);
      std::optional<Figures> figures = ask_all(program, input.path);
      if (!figures) throw std::runtime_error("no figures of " + input.path);
      add_truth(*figures, input.truth);
      good &= check(input.path, *figures, true);
    }
    std::cout << fmt::format("{} inputs, {} that can be asked about\n", inputs.size(), usable);
  } catch (const std::exception& error) {
    std::cerr << "xtrace_agree: " << error.what() << '\n';
    return 2;
  }
  return good ? 0 : 1;
}
