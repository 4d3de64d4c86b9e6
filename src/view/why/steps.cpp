#include "view/why/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "view/common/field.h"
#include "view/common/shown_arguments.h"
#include "view/common/shown_targets.h"
#include "view/common/use_words.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

class StepWords {
 public:
  StepWords(const HopScene& scene, const HistoryStep& step)
      : scene_(scene), graph_(scene.question.graph), door_(scene.question.door), step_(step) {}

  Text did() const {
    switch (step_.kind) {
      case HistoryStep::Kind::prompt: return Door::own(step_.has_no_words ? "went on" : "told");
      case HistoryStep::Kind::answer:
        return Door::own(step_.failed() || step_.has_no_result() ? "asked" : "answered");
      case HistoryStep::Kind::tool: break;
    }
    return Door::own(word(step_.deed));
  }
  Text agent() const { return scene_.names.agent(graph_.agent_of(step_.call())); }
  Text tool() const {
    return step_.use() != nullptr ? scene_.names.text(step_.use()->name) : Text();
  }
  Text target() const {
    return step_.use() == nullptr || step_.target ? scene_.names.text(step_.target)
                                                  : shown_target(door_, scene_.names, *step_.use());
  }
  Cell targets(CellArena& arena) const {
    if (step_.use() == nullptr) return {};
    return several_targets(graph_.trace(), scene_.names, *step_.use(), arena);
  }
  Text what() const {
    if (step_.use() == nullptr) return agent();
    return target().empty() ? tool() : target();
  }

  /// All that was said, or the tool's arguments as JSON, at level full.
  Text text() const {
    if (!scene_.question.shows_payload() || step_.has_no_words) return {};
    Door::At at(door_, scene_.names.place(step_.call()));
    if (step_.kind == HistoryStep::Kind::tool) return shown_arguments(door_, given());
    const Excerpt said = scene_.question.payloads->read(graph_.trace()[step_.call()]);
    return door_.payload(step_.kind == HistoryStep::Kind::prompt ? said.prompt : said.answer);
  }

  /// The same in few words; where only first words may be seen, those of prompts and commands.
  Text short_text(size_t most) const {
    if (step_.kind == HistoryStep::Kind::answer) return text();
    if (scene_.question.payloads == nullptr || !door_.shows_first_words() || step_.has_no_words)
      return {};
    const bool is_prompt = step_.kind == HistoryStep::Kind::prompt;
    if (is_prompt && scene_.question.shows_payload()) return text();
    Door::At at(door_, scene_.names.place(step_.call()));
    if (!is_prompt) return words_of_use(door_, given(), most);
    return door_.first_words(scene_.question.payloads->read(graph_.trace()[step_.call()]).prompt,
                             most);
  }

  /// `edited src/a.cpp`, `was asked “mend the test”`
  Text sentence() const {
    constexpr size_t kLongest = 100;
    const Text said = short_text(kLongest);
    const bool is_command = said.view().starts_with("$ ") && step_.use() != nullptr;
    std::string words(did().view());
    if (step_.kind == HistoryStep::Kind::prompt)
      words = step_.has_no_words ? "continued; no prompt logged"
              : said.empty()     ? "was given a prompt"
                                 : "was asked";
    if (step_.kind == HistoryStep::Kind::answer)
      words = words == "asked" ? "called the model" : "replied";
    if (step_.use() != nullptr) {
      const bool is_file = !target().empty();
      words = step_.deed == Deed::used || (is_file && step_.deed == Deed::ran)
                  ? fmt::format("{} {}", word(step_.deed), tool().view())
                  : words;
      if (is_file)
        words += fmt::format(" {}{}", short_path(), more_targets(graph_.trace(), *step_.use()));
      else if (step_.deed == Deed::started)
        words += ' ' + started();
      else if (step_.deed == Deed::ran)
        words += is_command ? "" : fmt::format(" {}", tool().view());
      else if (step_.deed != Deed::used)
        words += fmt::format(" with {}", tool().view());
    }
    if (!said.empty()) {
      const std::string line = fold_white_space(said.view());
      words += is_command               ? " " + line
               : step_.use() != nullptr ? "  " + line
                                        : fmt::format(" “{}”", line);
    }
    if (step_.use() != nullptr && step_.failed())
      if (const Text error =
              ErrorWords(scene_.question, scene_.names).of(step_.call(), *step_.use(), kLongest);
          !error.empty())
        words += ": " + fold_white_space(error.view());
    return door_.composed(std::move(words));
  }

 private:
  std::string given() const { return read_arguments(scene_.question, step_.call(), *step_.use()); }

  /// The agent, with the first words of its prompt if the level shows them; else the tool.
  std::string started() const {
    constexpr size_t kLongest = 60;
    for (uint32_t i : graph_.effects_of(step_.call())) {
      const Link& link = graph_.links()[i];
      if (link.kind != LinkKind::subagent_spawn || link.key != step_.use()->id) continue;
      std::string words(scene_.names.agent(graph_.agent_of(link.to)).view());
      if (scene_.question.payloads == nullptr || !door_.shows_first_words()) return words;
      Door::At at(door_, scene_.names.place(link.to));
      const Text asked_words = door_.first_words(
          scene_.question.payloads->read(graph_.trace()[link.to]).prompt, kLongest);
      return asked_words.empty() ? words : fmt::format("{} “{}”", words, asked_words.view());
    }
    return std::string(tool().view());
  }

  /// The file with the folder it is in; of an address, all.
  std::string short_path() const {
    std::string path = printable(target().view());
    if (path.find("://") != std::string::npos) return path;
    const size_t file = path.rfind('/');
    if (file == std::string::npos || file == 0) return path;
    const size_t folder = path.rfind('/', file - 1);
    return folder == std::string::npos || folder == 0 ? path : "…" + path.substr(folder);
  }

  const HopScene& scene_;
  const Graph& graph_;
  Door& door_;
  const HistoryStep& step_;
};

struct TakenRow {
  const HopScene& scene;
  const HistoryStep& step;
  StepWords words;
  CellArena& arena;
};
constexpr Field<TakenRow> kSteps[] = {
    {{"did",
      "kind of step: told (the agent received a prompt), went on (no prompt is recorded), used, "
      "read, searched, wrote, edited, ran, fetched, opened, started, answered, or asked (a model "
      "call that failed or was not answered)",
      CellKind::text, true},
     [](const TakenRow& row) { return Cell(row.words.did()); }},
    {{"what", "file, URL or tool; for a turn, the agent that received the prompt", CellKind::text},
     [](const TakenRow& row) { return known(row.words.what()); }},
    {kTargetsColumn, [](const TakenRow& row) { return row.words.targets(row.arena); }},
    {{"tool", "", CellKind::text}, [](const TakenRow& row) { return known(row.words.tool()); }},
    {{"agent", "agent that performed the step", CellKind::text},
     [](const TakenRow& row) { return known(row.words.agent()); }},
    {{"turn", "number of the turn, from 1 in each conversation", CellKind::integer},
     [](const TakenRow& row) { return some(int64_t{row.step.turn.number}); }},
    {{"start", "", CellKind::moment},
     [](const TakenRow& row) {
       return known(
           Moment{row.step.start, row.scene.question.graph.trace()[row.step.call()].decimals});
     }},
    {{"duration_ms", "", Role::duration},
     [](const TakenRow& row) { return known(row.step.took()); }},
    {{"failed", "true if the tool reported an error or the call failed", CellKind::boolean},
     [](const TakenRow& row) { return if_true(row.step.failed()); }},
    {{"no_result", "true if no record shows the result of the tool or the reply of the model",
      CellKind::boolean},
     [](const TakenRow& row) { return if_true(row.step.has_no_result()); }},
    {{"text", "text, or the tool's arguments as JSON, at level full", CellKind::text},
     [](const TakenRow& row) { return known(row.words.text()); }},
    {{"call", "", Role::node, true},
     [](const TakenRow& row) { return Cell(row.scene.names.id(row.step.call())); }},
    {{"at", "", CellKind::text},
     [](const TakenRow& row) { return Cell(row.scene.names.at(row.step.call())); }},
};

Cell ended(const HistoryStep& step) {
  if (step.failed()) return Text("failed");
  if (!step.has_no_result()) return {};
  const bool is_call = step.kind == HistoryStep::Kind::answer;
  return is_call ? Text("no reply") : Text("no result");
}

Text line_of(const HopScene& scene, CallId call) {
  const uint64_t line = scene.question.graph.trace()[call].source.line;
  return scene.question.door.composed(line > 0 ? fmt::format("{}", line) : "");
}

}  // namespace

Table steps_table() {
  return table_of<kSteps>("steps");
}

Table steps_table(const HopScene& scene, std::span<const HistoryStep> steps, CellArena& arena) {
  Table table = steps_table();
  for (const HistoryStep& step : steps)
    add_fields(kSteps, {scene, step, {scene, step}, arena}, table);
  return table;
}

void add_steps(const HopScene& scene, std::span<const HistoryStep> steps, bool unfold,
               std::span<const Text> links, Outline& outline) {
  constexpr size_t kShown = 60;  // what more there is, nobody reads to find out why
  if (steps.empty()) {
    outline.head.insert(outline.head.end(), links.begin(), links.end());
    return;
  }
  const bool is_one_file = scene.question.graph.trace().sources.size() == 1;
  outline.columns = {
      {"start", false, false, 2},
      {"turn", false, false, 3},
      {"agent", false, false, 5},
      {"what", false, true},
      {"took", Role::duration, 1},
      {"", false},
      {is_one_file ? Text("line") : Text("at"), is_one_file, false, 4, !is_one_file}};
  const size_t from = unfold || steps.size() <= kShown ? 0 : steps.size() - kShown;
  size_t left_out = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const HistoryStep& step = steps[i];
    const StepWords words(scene, step);
    const bool is_prompt_step = step.kind == HistoryStep::Kind::prompt;
    const bool is_task = is_prompt_step && step.turn == steps[from].turn;  // why all of it was done
    if (i < from && !is_task) {
      ++left_out;
      continue;
    }
    outline.lines.push_back(
        {0,
         step.failed()    ? Tone::error
         : is_prompt_step ? Tone::heading
                          : Tone::plain,
         {step.start == kNoTime ? Cell() : Cell(Moment{step.start, 0}),
          scene.question.door.say("turn {}", step.turn.number), words.agent(), words.sentence(),
          known(step.took()), ended(step),
          is_one_file ? line_of(scene, step.call()) : scene.names.at(step.call())}});
  }
  if (left_out > 0)
    outline.foot.push_back(scene.question.door.say("{} before these; --unfold shows them",
                                                   plural(static_cast<int64_t>(left_out), "step")));
  // An empty line precedes the foot anyway.
  if (outline.foot.empty() && !links.empty() && links.front().empty()) links = links.subspan(1);
  outline.foot.insert(outline.foot.end(), links.begin(), links.end());
}

}  // namespace xtrace
