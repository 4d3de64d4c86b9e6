#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/taint/sink_leaves.h"
#include "view/taint/taint_findings.h"

namespace xtrace {

/// How a reply to a user is called as a sink.
inline constexpr std::string_view kAnswerArgument = "answer";

/// Where text may act.
struct TaintSink {
  TaintStep step;
  const TaintRule* rule = nullptr;     ///< nullptr: a reply to a user
  uint32_t index = TextIndex::kNever;  ///< of its text; kNever: that could not be read
  std::string text{};                  ///< its arguments; empty: they are read again

  TextPlace place() const {
    return {step.use ? TextRole::argument : TextRole::model, 0, step.call, step.use};
  }
};
/// Of its arguments, or of the reply.
std::vector<SinkLeaf> leaves_of(const TaintSink& sink, const std::string& text);

/// A result that a rule or its sender names, by its tool use.
struct Brought {
  CallId call;                    ///< that asked for it; nowhere: nothing names it
  std::string untrusted, secret;  ///< kinds; empty: nothing says so
  std::vector<std::string> marks;
};

/// What taint keeps of a text.
struct ReadText {
  TextPlace place;
  TextHits hits;
  /// Few texts have any of it.
  struct Extra {
    std::vector<std::string> writes, reads;  ///< files of the tool use
    Brought brought;
  };
  std::unique_ptr<Extra> extra{};
};

/// Reads texts of logs again, on as many threads as the question has.
class TaintReading {
 public:
  TaintReading(const Question& question, const ToolRules& rules, const TaintOptions& options,
               const ConversationTexts& texts);

  /// The sinks of the calls that are shown, in order. All that they have is then looked for.
  std::vector<TaintSink> find_sinks(const Selection& shown, TextIndex& index);
  /// Then calls `each` for all texts, in their order.
  void read(const TextIndex& index, const std::function<void(ReadText&)>& each);
  /// The call that asked for a tool use, or the first on record whose history has it; nowhere: no
  /// call on record has it.
  CallId asked_by(ToolUseId use) const { return asked_by_[use.index]; }

 private:
  /// A text that need not be read again.
  struct KeptText {
    TextPlace place;
    std::string text;
  };

  bool answers_user(CallId call) const;
  void read_sinks(std::vector<TaintSink>& sinks, TextIndex& index);
  ReadText keep(const TextPlace& place, std::string_view text, const TextIndex& index) const;
  void note_files(const TextPlace& place, std::string_view text, ReadText::Extra& extra) const;
  Brought brought_by(const TextPlace& place, std::string_view text) const;

  const Graph& graph_;
  const Trace& trace_;
  const ToolRules& rules_;
  const TaintOptions& options_;
  const ConversationTexts& texts_;
  unsigned jobs_;
  std::vector<CallId> asked_by_;                            ///< by tool use
  std::vector<std::optional<std::vector<KeptText>>> kept_;  ///< by batch; nothing: it is read again
};

}  // namespace xtrace
