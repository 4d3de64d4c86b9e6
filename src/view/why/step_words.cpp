#include "view/why/step_words.h"

#include <fmt/format.h>

namespace xtrace {

namespace {

using Type = TaskStep::Type;

/// What the types do; `{}`: what it is in few words.
std::string done(const ExplanationRow& row, const std::string& what) {
  switch (row.node.type) {
    case Type::llm_call: return fmt::format("asked {}", what);
    case Type::static_analysis: return fmt::format("found {}", what);
    case Type::test_run: return fmt::format("ran {}", what);
    case Type::model_switch: return fmt::format("switched the model: {}", what);
    case Type::user_query:
      return row.node.is_query ? "sent a message" : fmt::format("asked: {}", what);
    case Type::reflexion_action:
    case Type::other: break;
  }
  return fmt::format("did {}", what);
}

}  // namespace

std::string sentence_of(const ExplanationScene& scene, uint32_t node) {
  CellArena arena;
  const ExplanationRow row(scene, {node, nullptr}, arena);
  std::string_view agent = scene.story.agent(row.node);
  std::string text = agent.empty() ? "someone" : std::string(scene.names.text(agent).view());
  text += ' ' + done(row, words_of(row));
  if (row.node.status != StepStatus::ok) text += fmt::format(" ({})", word(row.node.status));
  return fmt::format("{} [{}]", text, scene.id(row.shown).view());
}

}  // namespace xtrace
