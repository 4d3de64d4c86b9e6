#include "view/calls/call_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "facts/stop_reasons.h"
#include "view/common/counted.h"
#include "view/common/shown_targets.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

using Counts = Counted<std::string_view>;

void count(const CallScene& scene, CallId id, Counts& counts) {
  for (const ToolUse* use : scene.graph.tool_uses_of(id))
    counts.add(use->name ? scene.names.text(use->name).view() : "unknown tool");
}

std::string join(std::span<const Counts::Entry> counts) {
  std::string text;
  for (const auto& [name, number] : counts) {
    if (!text.empty()) text += ", ";
    text += number == 1 ? std::string(name) : fmt::format("{} ×{}", name, number);
  }
  return text;
}

/// Is `text` of this form, where a `d` stands for a digit?
bool fits(std::string_view text, std::string_view form) {
  return std::equal(text.begin(), text.end(), form.begin(), form.end(), [](char c, char in_form) {
    return in_form == 'd' ? c >= '0' && c <= '9' : c == in_form;
  });
}

}  // namespace

Text what_it_did(const CallScene& scene, CallId id) {
  Door& door = scene.question.door;
  const Call& call = scene.timeline()[id];
  switch (scene.timeline()[id].outcome) {
    case Outcome::error: {
      std::string_view error = scene.names.text(call.error).view();
      return error == "error" ? Text("failed") : door.say("failed: {}", error);
    }
    case Outcome::unanswered:
    case Outcome::unfinished:
    case Outcome::unrecorded: return Door::own(note_of(call.outcome));
    case Outcome::unknown:
    case Outcome::ok: break;
  }
  Counts counts;
  count(scene, id, counts);
  if (counts.all().empty())
    return call.outcome == Outcome::ok ? Text("reply") : Door::own(note_of(call.outcome));
  std::string text = join(counts.all());
  std::vector<const ToolUse*> uses = scene.graph.tool_uses_of(id);
  if (uses.size() == 1 && has_target(*uses.front()))
    text += " " + short_targets(scene.graph.trace(), scene.names, *uses.front());
  return door.composed(std::move(text));
}

std::string count_tools(const CallScene& scene, std::span<const CallId> calls) {
  Counts counts;
  for (CallId id : calls) count(scene, id, counts);
  std::vector<Counts::Entry> most_first = counts.all();
  std::ranges::stable_sort(most_first, std::greater<>(), &Counts::Entry::second);
  return join(most_first);
}

Text relation(LinkKind kind) {
  return Door::own(row_of(kind).in_database);
}

Text short_model(const CallScene& scene, CallId id) {
  std::string_view model = scene.names.text(scene.timeline()[id].model).view();
  if (model.starts_with("claude-")) model.remove_prefix(7);
  if (size_t slash = model.rfind('/'); slash != std::string_view::npos)
    model.remove_prefix(slash + 1);
  for (std::string_view form : {"-dddddddd", "-dddd-dd-dd"})
    if (model.size() > form.size() && fits(model.substr(model.size() - form.size()), form)) {
      model.remove_suffix(form.size());
      break;
    }
  return scene.question.door.composed(std::string(model));
}

std::string tool_error_words(int64_t errors) {
  if (errors == 0) return {};
  return errors == 1 ? "tool error" : fmt::format("{} tool errors", errors);
}

std::string remarks(const CallScene& scene, CallId id) {
  std::string note;
  for (uint32_t i : scene.graph.causes_of(id)) {
    const Link& link = scene.links()[i];
    if (link.kind == LinkKind::retry) note = fmt::format("attempt {}", link.attempt);
    const std::string_view remark = row_of(link.kind).remark;
    if (remark.empty() ||
        !std::binary_search(scene.selection.links.begin(), scene.selection.links.end(), i))
      continue;
    const double confidence = xtrace::confidence(link);
    note = join_notes(
        std::move(note),
        fmt::format("{} line {}{}", remark, scene.timeline()[link.from].source.line,
                    confidence < 1 ? fmt::format("? {:.2f}", confidence) : std::string()));
  }
  if (const int64_t errors = scene.graph.activities().failed_tools_of(id); errors > 0)
    note = join_notes(std::move(note), tool_error_words(errors));
  std::string_view stop = scene.graph.trace()[scene.timeline()[id].stop_reason];
  if (stop == "max_tokens" || stop == "length" || stop == kRefusal)
    note = join_notes(std::move(note), stop);
  return note;
}

}  // namespace xtrace
