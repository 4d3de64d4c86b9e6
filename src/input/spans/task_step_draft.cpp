#include "input/spans/task_step_draft.h"

#include <algorithm>
#include <array>

#include "base/number.h"
#include "input/common/shard.h"
#include "input/spans/span_tags.h"
#include "input/spans/tag_words.h"

namespace xtrace {

namespace {

using Kind = Remark::Kind;
using Type = TaskStep::Type;

/// A number, also one that is written as text, with or without a percent sign.
bool read_number(json::element value, double& number) {
  if (!value.get_double().get(number)) return true;
  std::string_view text = json::text(value);
  if (text.ends_with('%')) text.remove_suffix(1);
  std::optional<double> told = number_of<double>(text);
  number = told.value_or(0);
  return told.has_value();
}

/// A code such as `LATENCY_EXCEEDED` is a name; a sentence is payload.
bool is_code(std::string_view text) {
  constexpr size_t kLongest = 64;
  return text.size() <= kLongest && text.find_first_of(" \t\r\n") == std::string_view::npos;
}

/// Does the name of a span hold one of the words, whole? `lint.run` does, `flint` does not.
bool names_one_of(std::string_view operation, std::initializer_list<std::string_view> words) {
  auto is_letter = [&](size_t at) {
    char c = at < operation.size() ? static_cast<char>(operation[at] | 0x20) : '.';
    return c >= 'a' && c <= 'z';
  };
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    for (size_t at = operation.find(word); at != operation.npos; at = operation.find(word, at + 1))
      if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
    return false;
  });
}

}  // namespace

TaskStep::Type read_step_type(std::string_view word) {
  constexpr std::string_view kWords[] = {"LLM_CALL",     "STATIC_ANALYSIS",  "TEST_RUN",
                                         "MODEL_SWITCH", "REFLEXION_ACTION", "USER_QUERY"};
  const std::string_view* found = std::find(std::begin(kWords), std::end(kWords), word);
  return static_cast<Type>(found - std::begin(kWords));
}

bool is_reasoning(std::string_view operation) {
  return operation.starts_with("reasoning.") || operation.starts_with("ensemble.") ||
         names_one_of(operation,
                      {"self.reflect", "self_reflect", "self-reflect", "self_reflection"});
}

bool TaskStepDraft::read_remark(std::string_view key, json::element value, Shard& shard) {
  const RemarkName* name = find_remark_name(key);
  if (name == nullptr) return false;
  Remark remark{name->key, {}, 0, name->kind};
  std::string list;  // of texts, such as alternatives
  json::items(value, [&](json::element item) {
    list += list.empty() || json::text(item).empty() ? "" : "; ";
    list += json::text(item);
  });
  std::string_view text = list.empty() ? json::text(value) : std::string_view(list);
  if (read_number(value, remark.number)) {
    remark.kind = Kind::number;
    if (name->kind != Kind::number && !text.empty()) remark = {name->key, shard.intern(text)};
  } else if (!text.empty()) {
    remark.text = shard.intern(text);
    remark.kind = name->kind == Kind::payload && !is_code(text) ? Kind::payload : Kind::name;
  } else {
    return true;
  }
  if (!has(remark.key)) remarks_.push_back(remark);
  return true;
}

void TaskStepDraft::read(const SpanTags& tags, std::string_view operation, Shard& shard) {
  task_step.component = shard.intern(tags.text(Tag::component));
  task_step.request = shard.intern(tags.text(Tag::request));
  task_step.task = shard.intern(tags.text(Tag::task));
  task_step.trigger = shard.intern(tags.text(Tag::trigger));
  task_step.is_adapter = tags.text(Tag::component) == "model-adapter";
  for (const SpanTags::Other& other : tags.others()) read_remark(other.key, other.value, shard);
  std::string_view status = tags.text(Tag::status);
  if (status != "OK" && status != "ERROR" && status != "UNSET")
    task_step.status = shard.intern(status);
  task_step.type = read_step_type(tags.text(Tag::step_type));
  if (task_step.type == Type::other) task_step.type = type_by_remarks(operation);
  if (task_step.type != Type::other || !is_reasoning(operation)) return;
  if (!task_step.component) task_step.component = shard.intern("reasoning-agent");
  bool asks_model = tags.count(Tag::tokens_in) >= 0;
  task_step.type = asks_model ? Type::llm_call : Type::reflexion_action;
}

bool TaskStepDraft::has(std::string_view key) const {
  return std::any_of(remarks_.begin(), remarks_.end(),
                     [&](const Remark& remark) { return remark.key == key; });
}

TaskStep::Type TaskStepDraft::type_by_remarks(std::string_view operation) const {
  if (has("newModel")) return Type::model_switch;
  if (has("ruleId") || names_one_of(operation, {"static_analysis", "static-analysis", "semgrep",
                                                "critic.analysis", "lint", "linter"}))
    return Type::static_analysis;
  if (has("testSuite") || has("coverage") ||
      names_one_of(operation, {"test.run", "test_run", "run_tests", "run-tests", "critic.test",
                               "critic.tests"}))
    return Type::test_run;
  if (names_one_of(operation, {"user.query", "user_query", "user-query"})) return Type::user_query;
  return Type::other;
}

bool TaskStepDraft::any() const {
  return task_step.component || task_step.request || task_step.task || task_step.trigger ||
         task_step.status || task_step.type != Type::other || !remarks_.empty();
}

TaskStepId TaskStepDraft::add(Shard& shard) const {
  return shard.add(task_step, remarks_);
}

}  // namespace xtrace
