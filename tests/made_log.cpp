#include "made_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace xtrace {

namespace {

/// Tells a story by chance, and notes what is true of it.
class Maker {
 public:
  explicit Maker(const Recipe& recipe)
      : recipe_(recipe), chance_(recipe.seed), story_(recipe.style) {}

  MadeLog make() {
    double start = 0;
    for (int session = 0; session < recipe_.sessions; ++session) {
      user_ = fmt::format("user_{}_session_{:04}", session % 2, session);
      const double end = talk(start);
      start = recipe_.overlaps ? start + pick(5) : end + 900 + pick(600);
    }
    std::sort(order_.begin(), order_.end());
    std::vector<std::string> told = story_.lines();
    for (const auto& [end, index] : order_) made_.lines.push_back(told[index]);
    for (int i = 0; i < recipe_.damaged; ++i) damage();
    return std::move(made_);
  }

 private:
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(chance_() % below); }
  bool happens(uint32_t percent) { return pick(100) < percent; }

  /// A moment that no other call has.
  double moment(double after) {
    int64_t ms = static_cast<int64_t>(after * 1000) + 1;
    while (!taken_.insert(ms).second) ++ms;
    return static_cast<double>(ms) / 1000;
  }

  struct Said {
    std::string call;
    double end;
  };

  Told& tell(double after, double& end) {
    double start = moment(after), took = 0.2 + pick(3000) / 1000.0;
    end = start + took;
    order_.emplace_back(end, order_.size());
    Told& told = story_.call(fmt::format("c{:04}", ++calls_)).at(start).took(took).user(user_);
    if (recipe_.loses_ids) told.loses_ids();
    if (recipe_.mangles) mangle(told);
    return told;
  }

  void mangle(Told& told) {
    if (happens(30)) told.adds_blanks();
    if (happens(30)) told.writes_lists();
    if (happens(30)) told.reminds();
    if (happens(30)) told.marks_cache();
  }

  void link(const std::string& from, const std::string& to, const char* kind,
            const std::string& key = {}) {
    made_.truth.insert(fmt::format("{}->{} {}{}{}", from, to, kind, key.empty() ? "" : " ", key));
  }

  /// One session: the user says something, an agent works on it, the user says something else.
  double talk(double start) {
    Said last{{}, start};
    for (int turn = 0; turn < recipe_.turns; ++turn) {
      std::string words = fmt::format("task {} of {}: {}", turn, user_, pick(1000000));
      last = work(last.call, words, last.end + 1 + pick(20), 0, false);
    }
    return last.end;
  }

  /// One agent at work: from a prompt to its last answer. `before` is the call it goes on with.
  Said work(const std::string& before, const std::string& prompt, double start, int depth,
            bool is_twin, std::string* first = nullptr) {
    double end = 0;
    const bool is_subagent = depth > 0;
    Told* told = &tell(start, end)
                      .says(is_subagent && recipe_.adds_lines ? prompt + "\n\nAnswer in ten lines."
                                                              : prompt);
    if (!before.empty()) {
      told->after(before);
      link(before, told->name(), "continuation");
    }
    if (first != nullptr) *first = told->name();
    // Twins are word for word alike until their first answers part them.
    if (!is_twin) told = &insist(*told, end);
    for (uint32_t step = 1 + pick(4); step > 0; --step) {
      std::vector<std::string> used, reports;
      double ready = end;
      bool spawns = depth < 2 && happens(30);
      if (spawns)
        ready = spawn(*told, end, depth, used, reports);
      else
        for (uint32_t tools = 1 + pick(3); tools > 0; --tools) used.push_back(use(*told));
      if (!spawns) ready += pick(5000) / 1000.0;
      Told& next = tell(ready, end).after(told->name());
      link(told->name(), next.name(), "continuation");
      for (const std::string& id : used) {
        happens(10) ? next.reads_error(id) : next.reads(id, "output of " + id);
        link(told->name(), next.name(), "tool_result", id);
      }
      for (size_t i = 0; i < reports.size(); ++i)
        link(reports[i], next.name(), "subagent_report", used[i]);
      told = &insist(next, end);
    }
    return {told->name(), end};
  }

  /// Some calls fail, and are made again until they succeed.
  Told& insist(Told& first, double& end) {
    Told* told = &first;
    if (recipe_.loses_some && happens(10)) told->gets_no_answer();
    while (happens(8)) {
      told->fails("overloaded_error");
      Told& again = tell(end + 1, end).again(first.name());
      link(told->name(), again.name(), "retry");
      told = &again;
    }
    return *told;
  }

  std::string use(Told& told) {
    static constexpr const char* kTools[] = {"Read", "Grep", "Bash", "Edit"};
    std::string id = fmt::format("toolu_{:04}", ++uses_);
    told.uses(id, kTools[pick(4)], fmt::format(R"({{"file_path":"src/{}.cpp"}})", pick(50)));
    return id;
  }

  /// Starts subagents side by side; returns when the last of them is done.
  double spawn(Told& told, double start, int depth, std::vector<std::string>& used,
               std::vector<std::string>& reports) {
    static constexpr const char* kTypes[] = {"Explore", "Plan", "general-purpose"};
    // Twins whose answers are forgotten cannot be distinguished by anyone.
    bool twins = !recipe_.repeats && happens(25) && !recipe_.loses_ids;
    std::string type = kTypes[pick(3)],
                prompt = fmt::format("look into matter number {}", ++prompts_);
    double done = start;
    std::string by = told.name();
    std::vector<std::string> prompts;
    for (uint32_t count = twins ? 2 : 1 + pick(3); count > 0; --count) {
      if (!twins)
        prompt = fmt::format("look into matter number {}", recipe_.repeats ? pick(2) : ++prompts_);
      used.push_back(fmt::format("toolu_{:04}", ++uses_));
      told.spawns(used.back(), type, prompt, happens(30) ? "Agent" : "Task");
      prompts.push_back(prompt);
    }
    for (size_t i = 0; i < used.size(); ++i) {
      std::string first;
      double begin = start + 0.1 * static_cast<double>(i + 1);
      Said last = work({}, prompts[i], begin, depth + 1, twins || recipe_.repeats, &first);
      done = std::max(done, last.end);
      reports.push_back(last.call);
      link(by, first, "subagent_spawn", used[i]);
    }
    return done;
  }

  void damage() {
    std::vector<std::string>& lines = made_.lines;
    std::string torn = lines[pick(static_cast<uint32_t>(lines.size()))];
    torn.resize(torn.size() / 2);
    const std::string kinds[] = {torn, "null", "[1, 2]", R"({"message": "of no known shape"})"};
    size_t at = pick(static_cast<uint32_t>(lines.size()));
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), kinds[pick(4)]);
    ++made_.damaged;
  }

  Recipe recipe_;
  std::mt19937 chance_;
  CallStory story_;
  MadeLog made_;
  std::set<int64_t> taken_;
  std::vector<std::pair<double, size_t>> order_;  ///< end of each call, in the order told
  std::string user_;
  int calls_ = 0, uses_ = 0, prompts_ = 0;
};

}  // namespace

std::string MadeLog::text() const {
  return joined(lines);
}

MadeLog make_log(const Recipe& recipe) {
  return Maker(recipe).make();
}

std::set<std::string> found_in(const Graph& graph) {
  std::set<std::string> found;
  for (const Link& link : graph.links()) {
    const Trace& trace = graph.trace();
    std::string key = link.key ? " " + std::string(trace[link.key]) : "";
    found.insert(fmt::format("{}->{} {}{}", trace[trace[link.from].id], trace[trace[link.to].id],
                             word(link.kind), key));
  }
  return found;
}

std::vector<std::string> shuffled(std::vector<std::string> lines, uint32_t seed) {
  std::mt19937 chance(seed);
  for (size_t i = lines.size(); i > 1; --i)
    std::swap(lines[i - 1], lines[static_cast<size_t>(chance() % i)]);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

}  // namespace xtrace
