#pragma once

#include <compare>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "link/story/story.h"
#include "redact/redact.h"
#include "view/common/view.h"

namespace xtrace {

/// One thing that can be said of a step, by which it may differ from another.
struct Trait {
  /// Who may see its value: names anybody, payload at Door::Level::full alone, a hash nobody.
  enum class Kind : uint8_t { name, payload, hash };
  std::string field;  ///< `model`, `operation`, the name of an argument
  std::string value;
  Kind kind = Kind::name;
  bool is_argument = false;

  bool operator==(const Trait& other) const { return field == other.field && value == other.value; }
};

/// What of two runs is compared: all that both state.
enum class Compared : uint8_t {
  all,
  without_texts,  ///< one of them states no prompts and arguments: it is an export of ours
  stored_spans,   ///< one of them is a stored graph of spans, which states their names alone
  graph,          ///< one of them is a stored ExplanationGraph, which states neither tools nor hops
};
/// Is one of them a stored graph, and the other a log?
constexpr bool is_with_stored(Compared compared) {
  return compared == Compared::stored_spans || compared == Compared::graph;
}

/// Steps of a run between which there is an order: of a conversation, or spans one after another.
struct StepSequence {
  std::vector<uint32_t> steps;
  bool is_free = false;  ///< its order relative to its neighbours is unknown
  uint64_t key = 0;      ///< of all that is in it
  uint64_t shown = 0;    ///< of what anybody may see of that
};

/// A run as runs are compared: what its steps were, what is nested in what, and in which order
/// without places in a log having a say. Indices are those of Story::nodes.
///
///     q ── c1 ── c2 ── c3       below q one sequence, c1 c2 c3; below c1 two, which are free
///           ├─ a1 ── a2
///           └─ b1
class RunSteps {
 public:
  /// Hashes of a step; equal ones, equal steps.
  struct StepHashes {
    uint64_t kind = 0;   ///< what sort of step it is: others are never put side by side
    uint64_t what = 0;   ///< the tools it asks for, the operation, what a user says
    uint64_t given = 0;  ///< arguments
    uint64_t agent = 0, model = 0, outcome = 0;
    uint64_t whole = 0;  ///< all of this
    uint64_t deep = 0;   ///< and of all that is nested in it
    /// Of what anybody may see of it, and of all nested in it: the same in a log and in its parts,
    /// where the others depend on the key that these were made with.
    uint64_t shown = 0;
    uint64_t shown_deep = 0;
  };

  /// Goes on looking at all of them. `names`: the runs and sessions in `story`; empty: all in the
  /// graph. `ignored`: fields in which steps may differ.
  RunSteps(const Graph& graph, const Payloads* payloads, const Story& story,
           std::vector<std::string> names = {}, std::vector<std::string> ignored = {},
           Compared compared = Compared::all);

  /// What a run can be compared in.
  static Compared comparable_in(const Graph& graph, const Story& story);

  const Graph& graph() const { return graph_; }
  const Story& story() const { return story_; }
  const std::vector<std::string>& names() const { return names_; }
  Compared compared() const { return compared_; }
  size_t size() const { return story_.nodes.size(); }
  /// In causal order: what is nested in a step follows it directly.
  std::span<const uint32_t> order() const { return order_; }
  /// Place in that order.
  uint32_t place(uint32_t step) const { return place_[step]; }
  const StepHashes& hashes(uint32_t step) const { return hashes_[step]; }
  const std::vector<StepSequence>& below(uint32_t step) const { return below_[step]; }
  const std::vector<StepSequence>& tops() const { return below_.back(); }
  /// All steps of sequences that are side by side, in order of time: a step that overlaps others is
  /// placed by its start.
  std::vector<uint32_t> in_time(const std::vector<StepSequence>& sequences) const;
  /// Of the whole run.
  uint64_t key() const { return key_; }
  /// Is this one the first of two runs that are aligned? The same whichever is asked, and whatever
  /// the key of parts.
  bool goes_before(const RunSteps& other) const;
  /// Without those that are ignored.
  std::vector<Trait> traits(uint32_t step) const;
  /// The fields of all steps, with those that are ignored.
  const std::set<std::string>& fields() const { return fields_; }
  /// The steps that come of one: those it leads to, those nested in it, and so on.
  std::vector<bool> reached_from(uint32_t step) const;

 private:
  std::vector<Trait> all_traits(uint32_t step) const;
  /// A stored span that names a model asked it, whether or not it states tokens.
  TaskStep::Type type_of(const StoryNode& node) const;
  std::string_view agent_of(std::string_view name) const;
  std::string outcome_of(const StoryNode& node) const;
  void add_asked(const StoryNode& node, std::vector<Trait>& traits) const;
  void add_call_traits(const StoryNode& node, std::vector<Trait>& traits) const;
  void add_span_traits(const StoryNode& node, std::vector<Trait>& traits) const;
  void mark(uint32_t step);
  /// What anybody may see of it, as a hash. `redactor`: hides, in a log, what parts hide.
  uint64_t shown_mark(uint32_t step, Redactor& redactor);
  /// What the log calls it.
  std::string_view id_of(uint32_t step) const;
  /// By what is seen of them, for steps of one time.
  struct Seen {
    bool has_no_label = false;
    std::string_view label;
    uint64_t shown = 0;
    std::string_view id;
    auto operator<=>(const Seen&) const = default;
  };
  Seen seen(uint32_t step, uint64_t shown) const {
    return {labels_[step].empty(), labels_[step], shown, id_of(step)};
  }
  void order_steps();
  std::vector<std::vector<uint32_t>> sibling_edges() const;
  /// The hashes of a step, or of all, with what is nested in it.
  struct Closed {
    uint64_t deep = 0, shown = 0;
  };
  Closed close(std::vector<StepSequence>& sequences, Closed own) const;

  const Graph& graph_;
  const Payloads* payloads_;
  const Story& story_;
  const std::vector<std::string> names_, ignored_;
  const Compared compared_;
  std::set<std::string> fields_;
  std::vector<bool> has_query_;  ///< by call: what the user said to it is a step of its own
  std::vector<StepHashes> hashes_;
  std::vector<std::string> labels_;               ///< what each did, without what is hidden of that
  std::vector<std::vector<StepSequence>> below_;  ///< by step; the last: of what nothing is around
  std::vector<uint32_t> order_, place_;
  uint64_t key_ = 0, shown_key_ = 0;
};

}  // namespace xtrace
