#include "view/taint/taint_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/digits.h"
#include "view/common/words.h"

namespace xtrace {

TaintReport::TaintReport(const CallScene& of, const ToolRules& tool_rules, const TaintRules& given,
                         const TaintOptions& chosen, const TaintFindings& findings)
    : scene(of), tools(tool_rules), rules(given), options(chosen), found(findings) {
  std::array<int64_t, kTokenKinds> counted{};
  for (const TaintFlow& flow : found.flows)
    for (const TaintEvidence& evidence : flow.evidence)
      if (!numbers.contains(evidence.key))
        numbers[evidence.key] = ++counted[static_cast<size_t>(evidence.kind)];
}

Text TaintReport::id(const TaintStep& step) const {
  const StringId use = step.use ? trace().tool_uses[step.use.index].id : StringId();
  return use ? scene.names.text(use) : scene.names.id(step.call);
}

Text TaintReport::tool(const TaintStep& step) const {
  return step.use ? scene.names.text(trace().tool_uses[step.use.index].name) : Text();
}

Text TaintReport::value(const TaintEvidence& evidence) const {
  if (scene.question.shows_payload() && !evidence.is_hidden) return door().payload(evidence.text);
  return door().say("[{}:{}]", word(evidence.kind), numbers.at(evidence.key));
}

Text TaintReport::argument(const TaintFlow& flow) const {
  constexpr size_t kLongest = 40;
  const std::string_view name = flow.argument;
  const auto is_of_name = [](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || c == '-';
  };
  const bool is_name = !name.empty() && name.size() <= kLongest &&
                       std::ranges::all_of(name, is_of_name) && !is_digit(name[0]) &&
                       name[0] != '-';
  return is_name ? door().name(name) : Text("*");
}

Texts TaintReport::risks(const TaintFlow& flow) const {
  struct Risk {
    Text name;
    bool applies;
  };
  const bool is_untrusted = flow.label == TaintLabel::untrusted;
  const Risk all[] = {
      {"ASI01", is_untrusted && flow.sink.use}, {"ASI02", flow.is_forbidden},
      {"ASI05", flow.sink_kind == "shell"},     {"ASI06", flow.crosses == TaintCrosses::session},
      {"ASI07", flow.sink_kind == "agent"},     {"ASI09", !flow.sink.use},
  };
  Texts names;
  for (const Risk& risk : all)
    if (risk.applies) names.push_back(risk.name);
  return names;
}

std::string lost_words(const TaintLost& lost) {
  const struct {
    size_t number;
    std::string_view what, where;
  } all[] = {{lost.results, "result", "not in the log"},
             {lost.arguments, "sink", "without text in the log"},
             {lost.subagents, "subagent", "without calls in the log"},
             {lost.spans, "span", "of tools next to model calls"}};
  std::string words;
  for (const auto& [number, what, where] : all)
    if (number > 0)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ",
                           plural(static_cast<int64_t>(number), what), where);
  return words;
}

std::string not_seen_words(const TaintOptions& options) {
  return fmt::format(
      "paraphrase, translation, single words, numbers below {} digits, images and "
      "results that are not in the log; what shell commands print (curl, git clone) is trusted; "
      "reuse is no proof of cause or intent",
      options.least_digits);
}

}  // namespace xtrace
