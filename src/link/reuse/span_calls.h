#pragma once

#include <memory>
#include <string>
#include <vector>

#include "facts/payloads.h"
#include "link/graph/graph.h"

namespace xtrace {

/// The spans of models and tools as calls, so that what reads the texts of calls reads theirs, too.
/// A session is one conversation, or a trace where no session is named: each span is a call, in
/// order of time. That of a tool asks for the tool, whose result the next call reads that begins
/// after it. What other agents are sent than the one that speaks first counts as words of a model:
/// another agent wrote it.
class SpanCalls final : public Payloads {
 public:
  /// Reads the spans again. Both outlive it.
  SpanCalls(const Graph& spans, const Payloads& payloads, unsigned jobs);

  const Graph& graph() const { return *graph_; }
  /// Tools with arguments or results on record.
  size_t tools_with_texts() const { return tools_with_texts_; }

  /// Of a call of graph().
  std::vector<Quote> quotes(const Call& call) const override;
  using Payloads::quotes;
  Excerpt read(const Call&) const override { return {}; }
  StepRecord step(const Span&) const override { return {}; }
  Appraisal appraisal(const Span&) const override { return {}; }
  std::vector<std::string> changed() const override { return payloads_.changed(); }

  /// A text of a span.
  struct Piece {
    enum class From : uint8_t { quote, inputs, outputs };
    SpanId span;
    From from = From::quote;
    bool is_answer = false;
    Quote::Kind kind = Quote::Kind::text;
    uint32_t quote = 0;    ///< of Payloads::quotes()
    std::string tool_use;  ///< the id that graph() gives the use
  };

 private:
  const Trace& spans_;
  const Payloads& payloads_;
  std::vector<std::vector<Piece>> pieces_;  ///< by Call::first_place
  size_t tools_with_texts_ = 0;
  std::unique_ptr<const Graph> graph_;
};

}  // namespace xtrace
