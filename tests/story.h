#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// How a story is written down.
struct Style {
  enum class Envelope : uint8_t { proxy_log, claude_trace, call_log };
  enum class Vendor : uint8_t { anthropic, openai };
  Envelope envelope = Envelope::proxy_log;
  Vendor vendor = Vendor::anthropic;
  bool streamed = false;        ///< the answer as server-sent events
  bool body_as_string = false;  ///< bodies as strings that hold JSON
};

/// One call of a story: who asked what and when, and what came back. Nothing here knows how a log
/// writes that down. What is not said is made up so that no two calls are alike by accident.
class Told {
 public:
  explicit Told(std::string name) : name_(std::move(name)) {}

  // When. By default a second after the call that was told before, and for a second.
  Told& at(double seconds) { return start_ = seconds, *this; }
  Told& took(double seconds) { return took_ = seconds, *this; }
  Told& without_time() { return has_time_ = false, *this; }

  // What was asked. A conversation repeats its history by itself.
  Told& after(std::string call) { return after_ = std::move(call), *this; }
  Told& again(std::string call) { return again_ = std::move(call), *this; }  ///< word for word
  Told& says(std::string text) { return asked_.push_back({{}, std::move(text)}), *this; }
  Told& reads(std::string tool_use, std::string output = "some output") {
    return asked_.push_back({std::move(tool_use), std::move(output)}), *this;
  }
  Told& reads_error(std::string tool_use) {
    return asked_.push_back({std::move(tool_use), "it went wrong", true}), *this;
  }

  // Who asks.
  Told& user(std::string id) { return user_ = std::move(id), *this; }
  Told& session(std::string id) { return session_ = std::move(id), *this; }
  Told& agent(std::string type) { return agent_ = std::move(type), *this; }
  Told& system(std::string prompt) { return system_ = std::move(prompt), *this; }
  Told& model(std::string name) { return model_ = std::move(name), *this; }
  Told& spawned_by(std::string tool_use) { return spawned_by_ = std::move(tool_use), *this; }
  Told& offers_tools() { return tools_ = true, *this; }

  // What came back.
  Told& answers(std::string text) { return text_ = std::move(text), *this; }
  Told& thinks() { return thinks_ = true, *this; }  ///< in a block that no history repeats
  Told& uses(std::string id, std::string tool, std::string input = "{}") {
    return uses_.push_back({std::move(id), std::move(tool), std::move(input)}), *this;
  }
  Told& spawns(const std::string& id, const std::string& type, const std::string& prompt,
               const std::string& tool = "Task");
  Told& resumes(const std::string& id, const std::string& agent, const std::string& type,
                const std::string& prompt);
  Told& tokens(int64_t input, int64_t output) { return input_ = input, output_ = output, *this; }
  Told& fails(std::string error) { return error_ = std::move(error), *this; }
  Told& gets_no_answer() { return unanswered_ = true, *this; }

  // How a proxy or a client mangles it.
  Told& unlogged() { return logged_ = false, *this; }       ///< only histories know of it
  Told& loses_ids() { return loses_ids_ = true, *this; }    ///< tool uses keep only their type
  Told& loses_uses() { return loses_uses_ = true, *this; }  ///< tool uses are gone altogether
  Told& marks_cache() { return marks_cache_ = true, *this; }
  Told& writes_lists() { return lists_ = true, *this; }  ///< texts as lists of blocks
  Told& adds_blanks() { return blanks_ = true, *this; }  ///< around every text of the history
  Told& reminds() { return reminds_ = true, *this; }     ///< a <system-reminder> block goes first

  const std::string& name() const { return name_; }

 private:
  friend class CallStory;
  friend class Pen;
  struct Asked {
    std::string tool_use;  ///< empty: the user's own words
    std::string text;
    bool is_error = false;
  };
  struct Use {
    std::string id, tool, input;
  };

  std::string name_, after_, again_, user_, session_, agent_, system_, spawned_by_, error_;
  std::string model_ = "claude-test-1";
  std::optional<double> start_;
  double took_ = 1;
  std::vector<Asked> asked_;
  std::optional<std::string> text_;
  std::vector<Use> uses_;
  int64_t input_ = 100, output_ = 10;
  bool has_time_ = true, logged_ = true, tools_ = false, thinks_ = false, unanswered_ = false;
  bool loses_ids_ = false, loses_uses_ = false;
  bool marks_cache_ = false, lists_ = false, blanks_ = false, reminds_ = false;
};

/// A log told call by call, then written, read and linked by the real thing:
///
///     CallStory story;
///     story.call("a").says("hi").uses("t1", "Read");
///     story.call("b").after("a").reads("t1");
///     CHECK(story.links() == "a->b continuation 1.00\n"
///                            "a->b tool_result 1.00 t1");
class CallStory {
 public:
  explicit CallStory(Style style = {}) : style_(style) {}

  /// A call; a line of the log. References stay good while the story goes on.
  Told& call(std::string name);
  CallStory& spawn_tools(std::vector<std::string> names) {
    return linking_.spawn_tools = std::move(names), *this;
  }
  /// Also finds links that are found on request only.
  /// What is not on record costs so much; the table outlives the story's graph.
  CallStory& prices(const PriceTable& table) { return linking_.prices = &table, *this; }
  CallStory& with(std::string link) { return linking_.with.push_back(std::move(link)), *this; }
  /// A line that is no record of a call, in place of one.
  void garbage(std::string line);

  std::string log() const;
  std::vector<std::string> lines() const;
  const Graph& graph();

  // What came of it, a line each: see the functions of the same names below.
  std::string links(std::string_view kind = {});
  std::string sessions();
  std::string agents();
  std::string ids();
  std::string orphans();
  std::string clock();
  /// The link of a kind into a call.
  const Link& link_into(std::string_view call, LinkKind kind);
  /// "a 0.50, b 0.50": the other sources that would have fitted.
  std::string rivals_of(const Link& link);

 private:
  friend class Pen;
  const Told& find(const std::string& name) const;
  double start_of(const Told& told) const;

  Style style_;
  LinkOptions linking_;
  std::deque<Told> told_;
  std::vector<std::pair<size_t, std::string>> garbage_;  ///< before which call
  std::optional<Graph> graph_;
};

// A graph in words that a test can compare.

/// `a->b kind 1.00 key`, then what is special: error, resumed, attempt, shared
/// characters. In order of time.
std::string links_of(const Graph& graph, std::string_view kind = {});
/// `s1: a b c`
std::string sessions_of(const Graph& graph);
/// `Explore#1: c d`
std::string agents_of(const Graph& graph);
/// The ids in order of time: `a b b~2`
std::string ids_of(const Graph& graph);
/// `b t1`: call and the tool use that nobody asked for.
std::string orphans_of(const Graph& graph);
/// `a->b`: links against the clock.
std::string clock_of(const Graph& graph);

}  // namespace xtrace
