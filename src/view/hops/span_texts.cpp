#include "view/hops/span_texts.h"

#include "facts/row_or_empty.h"

namespace xtrace {

namespace {

std::string words_of_span(const Question& question, const Span& span, bool is_answer) {
  std::string said;
  for (const Quote& quote : question.payloads->quotes(span)) {
    if (quote.is_answer != is_answer || quote.kind != Quote::Kind::text) continue;
    if (!is_answer) said.clear();
    if (!said.empty()) said += '\n';
    said += quote.text;
  }
  return said;
}

}  // namespace

Text span_text(const Question& question, const Span& span, SpanText which) {
  if (!question.shows_payload()) return {};
  const GenAi& told = row_or_empty(question.graph.trace(), span.gen_ai);
  const bool is_of_model = which == SpanText::prompt || which == SpanText::answer;
  if (is_of_model)
    return question.door.payload(words_of_span(question, span, which == SpanText::answer));
  if (!told.tool && !span.query) return {};
  const StepRecord step = question.payloads->step(span);
  return question.door.payload(which == SpanText::arguments ? step.inputs : step.outputs);
}

SpanTexts texts_of_span(const HopScene& scene, HopId id) {
  const Hop& hop = scene.hops[id];
  if (!hop.span) return {};
  Door::At at(scene.question.door, scene.names.place(hop.at));
  const auto text = [&](SpanText which) {
    return known(span_text(scene.question, scene.span(hop), which));
  };
  return {text(SpanText::prompt), text(SpanText::answer), text(SpanText::arguments),
          text(SpanText::result)};
}

void add_span_texts(const HopScene& scene, HopId id, std::vector<Text>& lines) {
  const SpanTexts texts = texts_of_span(scene, id);
  const std::pair<std::string_view, const Cell*> named[] = {{"prompt", &texts.prompt},
                                                            {"reply", &texts.answer},
                                                            {"arguments", &texts.arguments},
                                                            {"result", &texts.result}};
  for (const auto& [name, cell] : named)
    if (const Text* const text = std::get_if<Text>(cell))
      lines.push_back(scene.question.door.say("{}: {}", name, text->view()));
}

}  // namespace xtrace
