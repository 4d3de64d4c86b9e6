#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "link/reuse/origins.h"
#include "view/common/selection.h"
#include "view/common/view.h"
#include "view/taint/tool_rules.h"

namespace xtrace {

/// How far untrusted text got, the least first.
enum class TaintVerdict : uint8_t { none, exposed, flow, trifecta };
inline constexpr std::string_view kTaintVerdictWords[] = {"none", "exposed", "flow", "trifecta"};
constexpr std::string_view word(TaintVerdict verdict) {
  return kTaintVerdictWords[static_cast<size_t>(verdict)];
}

enum class TaintLabel : uint8_t { untrusted, secret };
inline constexpr std::string_view kTaintLabelWords[] = {"untrusted", "private"};
constexpr std::string_view word(TaintLabel label) {
  return kTaintLabelWords[static_cast<size_t>(label)];
}

/// What lies between source and sink.
enum class TaintCrosses : uint8_t { nothing, agent, session };
inline constexpr std::string_view kTaintCrossesWords[] = {"none", "agent", "session"};
constexpr std::string_view word(TaintCrosses crosses) {
  return kTaintCrossesWords[static_cast<size_t>(crosses)];
}

/// A thing that is in a source and in a sink.
struct TaintEvidence {
  TokenKind kind = TokenKind::code;
  Encoding encoding = Encoding::none;  ///< in the sink
  uint32_t length = 0;                 ///< bytes as it is written there
  uint64_t key = 0;                    ///< equal for equal things
  std::string text;                    ///< its normal form
  bool is_hidden = false;              ///< not shown at any level
};

/// A call, or a tool use that it asks for.
struct TaintStep {
  CallId call;
  ToolUseId use;
};

/// What one argument of a sink has from one source.
struct TaintFlow {
  TaintLabel label = TaintLabel::untrusted;
  std::string source_kind, sink_kind;
  TaintStep source, sink;          ///< a sink without a use is an answer
  CallId reader;                   ///< that got the source's result first
  std::string argument;            ///< at the top level; empty: there are no names
  bool is_forbidden = false;       ///< by the sink's rule
  bool is_outbound = false;        ///< text leaves by the sink
  std::vector<std::string> marks;  ///< labels of a dataTaint mark of the source
  std::vector<TaintEvidence> evidence;
  std::vector<TaintStep> also_at;  ///< further sources that have one of them
  std::vector<TaintStep> path;     ///< from source to sink
  TaintCrosses crosses = TaintCrosses::nothing;
  double confidence = 0;
};

/// What the log does not contain, so that nobody can search it.
struct TaintLost {
  size_t results = 0;    ///< of sources
  size_t arguments = 0;  ///< sinks whose arguments or reply it does not have
  size_t subagents = 0;  ///< whose calls it does not have
  size_t spans = 0;      ///< of tools, beside calls, which are searched instead
};

/// An untrusted result, and the call that got it first.
struct TaintSource {
  std::string kind;
  TaintStep step;
  CallId reader;
};

struct TaintSession {
  uint32_t session = 0;  ///< index into Graph::sessions()
  TaintVerdict verdict = TaintVerdict::none;
  size_t flows = 0;  ///< of untrusted text
  TaintLost lost{};
};

struct TaintFindings {
  TaintVerdict verdict = TaintVerdict::none;
  std::vector<TaintFlow> flows;      ///< by sink, in order of time
  std::vector<TaintSource> sources;  ///< untrusted ones, in order of time
  std::vector<TaintSession> sessions;
  size_t secret = 0;    ///< results that a rule names as private
  size_t outbound = 0;  ///< uses of sinks by which text leaves
  size_t sinks = 0;
  TaintLost lost{};
};

struct TaintOptions {
  size_t least_digits = kLeastDigits;
  bool has_answers = false;     ///< the answers to users are sinks too
  double least_confidence = 0;  ///< flows of less are not listed
};

/// Finds text of sources in sinks of the calls that are shown.
TaintFindings find_taint(const Question& question, const ToolRules& rules,
                         const TaintOptions& options, const Selection& shown);

}  // namespace xtrace
