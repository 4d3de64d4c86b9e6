#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "facts/payloads.h"
#include "link/activities/activities.h"
#include "link/graph/graph.h"
#include "link/waste/tool_words.h"

namespace xtrace {

/// The run of a tool that a call asked for, with all that finders of waste compare: its place, the
/// traits of its name and its result.
struct ToolStep {
  const Activity* done = nullptr;
  ToolUseId id;
  uint32_t session = 0, conversation = 0;  ///< indices into those of the graph
  ToolNameTraits named;                    ///< by the name of the tool
  uint64_t said = 0;                       ///< names the result's text; 0: it has none
  bool is_told = false;                    ///< its reader has a result of it, with a text or not

  CallId call() const { return done->call; }
  const ToolUse& use() const { return *done->use; }
  bool failed() const { return done->outcome == Outcome::error; }
  /// Somebody did not let it run, or stopped it.
  bool was_stopped() const {
    return done->tool_error == ToolError::denied || done->tool_error == ToolError::cancelled;
  }
  bool went_well() const { return done->outcome == Outcome::ok; }
  /// By what two steps of one agent are the same: the tool and all it is given.
  auto asks() const { return std::tuple(conversation, use().name.index, use().arguments); }
};

/// What lies between two steps of one conversation.
struct StepsBetween {
  bool is_known = false;  ///< the later one had the earlier one in its history
  bool is_cut = false;    ///< what was said before was summed up or left out meanwhile
  bool has_user = false;  ///< a user said something meanwhile
};

/// All uses of tools in order of time, and what of it can have changed the world. What a command
/// does is known by its words, which are read again only for what is asked about.
class ToolSteps {
 public:
  ToolSteps(const Graph& graph, const Payloads* payloads);

  const std::vector<ToolStep>& all() const { return all_; }
  const ToolStep& operator[](uint32_t i) const { return all_[i]; }
  const Graph& graph() const { return graph_; }
  /// The steps of each conversation, as indices into all().
  const std::vector<std::vector<uint32_t>>& by_conversation() const { return by_conversation_; }

  StepsBetween between(uint32_t earlier, uint32_t later) const;
  /// Can a step of the session between the two have changed what these ask about? Whoever took it.
  bool may_have_changed(uint32_t earlier, uint32_t later) const;
  /// The same, of a file that they are about: by an edit, by a command that names it, or by one
  /// that rewrites files without naming them, as another branch's are.
  bool may_have_changed_file(uint32_t earlier, uint32_t later) const;
  /// Can a step between the two have changed files that nobody named: a command that does more than
  /// look, test and build?
  bool may_have_changed_unnamed(uint32_t earlier, uint32_t later) const;
  /// Was a file that they are about, if there is one, looked at between the two?
  bool was_looked_at(uint32_t earlier, uint32_t later) const;
  /// Did a user ask for the file of the earlier one again between the two, or say what nobody can
  /// read any more?
  bool was_asked_for(uint32_t earlier, uint32_t later) const;
  /// Does the client say, in place of a file, that the agent has it already?
  bool is_told_unchanged(uint32_t i) const;
  /// Did the agent wait for something between the two, as `sleep 60` does?
  bool waited_between(uint32_t earlier, uint32_t later) const;
  /// Did both get the same result? By all of its text, where that can be read; of what tests or
  /// builds how long it took does not count.
  bool same_result(uint32_t earlier, uint32_t later) const;
  /// Did both fail with the same words? Of times only that there are some counts.
  bool same_error(const ToolStep& a, const ToolStep& b) const;

  bool is_file_read(uint32_t i) const;
  bool is_change(uint32_t i) const { return doing(i).changes; }
  /// Does it test or build something?
  bool is_check(uint32_t i) const { return doing(i).checks && doing(i).changes; }
  /// Does it ask how something goes that takes time?
  bool is_polling(uint32_t i) const { return doing(i).polls; }
  /// The confidence that the step was wasted if one before it had the same result and nothing
  /// changed meanwhile; 0: it does something each time.
  double confidence_if_repeated(uint32_t i) const;

  std::string arguments(const ToolStep& step) const;
  std::string result(const ToolStep& step) const;

 private:
  /// Does the step work on a file that `of` is about?
  bool share_a_file(const ToolStep& step, const ToolStep& of) const;
  /// Do its arguments name one?
  bool names_a_file(const ToolStep& step, const ToolStep& of) const;
  /// What was said in a call.
  struct Said {
    std::vector<Quote> quotes;
    std::vector<const Quote*> uses;                                      ///< of tools, in order
    std::unordered_map<std::string_view, const Quote*> by_use, results;  ///< by the id of a use
  };
  /// What leads to a call: all calls within [begin, end) have it in their history, itself too.
  struct History {
    uint32_t begin = 0, end = 0;
    uint32_t cuts = 0, users = 0;  ///< of it and all before it
  };

  /// What a step does, as far as its name and its command tell.
  struct Doing {
    bool is_asked = false;  ///< it was looked at
    bool changes = false, checks = false, polls = false, waits = false;
    bool rewrites = false;  ///< files that it does not name
  };

  void note_results();
  void note_histories();
  const Doing& doing(uint32_t i) const;
  std::shared_ptr<const Said> said(CallId call) const;

  const Graph& graph_;
  const Payloads* payloads_;
  std::vector<ToolStep> all_;
  std::vector<std::vector<uint32_t>> by_conversation_, by_session_;
  std::vector<History> histories_;    ///< by call
  std::vector<CallId> before_;        ///< by call: what it goes on from
  mutable std::vector<Doing> doing_;  ///< by step
  mutable std::mutex said_mutex_;     ///< arguments and results are asked for by several threads
  mutable std::map<CallId, std::shared_ptr<const Said>> said_;
};

}  // namespace xtrace
