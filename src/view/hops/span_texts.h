#pragma once

#include "view/common/field.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// A text that a span records.
enum class SpanText : uint8_t {
  prompt,     ///< of a model call, what was said to the model last
  answer,     ///< its reply
  arguments,  ///< of a tool or a step of a query, what it was given
  result,     ///< what it returned
};

/// Read again from its place, at level full; empty: there is none, or the level is basic.
Text span_text(const Question& question, const Span& span, SpanText which);

/// What answers call these texts.
inline constexpr Column kSpanPrompt{
    "prompt", "last message that the span of a model call received, at level full", CellKind::text};
inline constexpr Column kSpanAnswer{"answer", "text of its reply, at level full", CellKind::text};
inline constexpr Column kSpanArguments{
    "arguments", "what the span of a tool or of a step was given, at level full", CellKind::text};
inline constexpr Column kSpanResult{"result", "what the tool or step returned, at level full",
                                    CellKind::text};

/// All of them, of a hop or span.
struct SpanTexts {
  Cell prompt, answer, arguments, result;
};
SpanTexts texts_of_span(const HopScene& scene, HopId id);
inline constexpr Field<SpanTexts> kSpanTexts[] = {
    {kSpanPrompt, member<&SpanTexts::prompt>},
    // Its answer is the explanation.
    {{"reply", "text of its reply, at level full", CellKind::text}, member<&SpanTexts::answer>},
    {kSpanArguments, member<&SpanTexts::arguments>},
    {kSpanResult, member<&SpanTexts::result>},
};
/// Adds a line for each that there is: `reply: …`
void add_span_texts(const HopScene& scene, HopId id, std::vector<Text>& lines);

}  // namespace xtrace
