#include "view/taint/taint_reading.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <unordered_map>

#include "base/hash.h"
#include "base/parallel.h"
#include "facts/tool_targets.h"

namespace xtrace {

namespace {

constexpr std::string_view kMarkKind = "a2a", kUntrustedMark = "untrusted";
/// Texts, and arguments of sinks, are kept up to so many bytes; reading them again costs as much as
/// the first time.
constexpr size_t kMostKept = size_t{32} << 20;
/// Batches of texts of which what is found is kept at a time.
constexpr size_t kBatchesAtATime = 64;

/// By tool use; of replies by call.
uint64_t key_of(CallId call, ToolUseId use) {
  return use ? pair_of(0, use.index) : pair_of(1, call.index);
}

}  // namespace

std::vector<SinkLeaf> leaves_of(const TaintSink& sink, const std::string& text) {
  if (!sink.step.use) return {{std::string(kAnswerArgument), text}};
  return leaves_of(text, sink.rule->arguments);
}

TaintReading::TaintReading(const Question& question, const ToolRules& rules,
                           const TaintOptions& options, const ConversationTexts& texts)
    : graph_(question.graph),
      trace_(graph_.trace()),
      rules_(rules),
      options_(options),
      texts_(texts),
      jobs_(question.jobs),
      asked_by_(trace_.tool_uses.size()) {
  for (const CallId call : graph_.timeline().in_order())
    for (const ToolUse* const use : graph_.tool_uses_of(call))
      if (CallId& asker = asked_by_[graph_.timeline().id_of(*use).index]; !asker) asker = call;
  for (const HistoryUse& one : texts.history().unasked()) asked_by_[one.use.index] = one.reader;
}

bool TaintReading::answers_user(CallId call) const {
  const Conversation& conversation = graph_.conversation_of(call);
  return options_.has_answers && !graph_.agents()[conversation.agent].spawned &&
         trace_[call].answer && graph_.tool_uses_of(call).empty();
}

std::vector<TaintSink> TaintReading::find_sinks(const Selection& shown, TextIndex& index) {
  std::vector<TaintSink> sinks;
  const auto add = [&](CallId call, ToolUseId use) {
    if (const TaintRule* const rule = rules_.sink(call, trace_.tool_uses[use.index]))
      sinks.push_back({{call, use}, rule});
  };
  std::unordered_map<uint32_t, std::vector<ToolUseId>> by_reader;
  for (const HistoryUse& one : texts_.history().unasked())
    by_reader[one.reader.index].push_back(one.use);
  for (const CallId call : graph_.timeline().in_order()) {
    if (!shown.shows(call)) continue;
    if (const auto uses = by_reader.find(call.index); uses != by_reader.end())
      for (const ToolUseId use : uses->second) add(call, use);
    for (const ToolUse* const use : graph_.tool_uses_of(call))
      add(call, graph_.timeline().id_of(*use));
    if (answers_user(call)) sinks.push_back({{call, {}}});
  }
  read_sinks(sinks, index);
  return sinks;
}

void TaintReading::read_sinks(std::vector<TaintSink>& sinks, TextIndex& index) {
  std::unordered_map<uint64_t, size_t> by_key;
  std::vector<bool> has_sinks(trace_.calls.size());
  for (size_t i = 0; i < sinks.size(); ++i) {
    by_key.emplace(key_of(sinks[i].step.call, sinks[i].step.use), i);
    has_sinks[sinks[i].step.call.index] = true;
  }
  std::vector<std::vector<WantedText>> wanted(sinks.size());
  std::atomic<size_t> kept = 0, kept_arguments = 0;
  kept_.clear();
  kept_.resize(texts_.batches());
  for_each_on(jobs_, texts_.batches(), [&] {
    return [&](size_t batch) {
      std::map<size_t, std::string> texts;  // by sink; of a reply in several pieces all
      const auto take = [&](const TextPlace& place, std::string_view text) {
        if (place.role != TextRole::model && (place.role != TextRole::argument || !place.use))
          return;
        const auto sink = by_key.find(key_of(place.call, place.use));
        if (sink == by_key.end()) return;
        std::string& all = texts[sink->second];
        if (!all.empty()) all += '\n';
        all += text;
      };
      if (kept < kMostKept) {
        std::vector<KeptText> all;
        size_t bytes = 0;
        texts_.read(batch, [&](const TextPlace& place, std::string_view text) {
          take(place, text);
          bytes += text.size();
          all.push_back({place, std::string(text)});
        });
        kept += bytes;
        kept_[batch] = std::move(all);
      } else {
        for (const CallId call : texts_.calls(batch))
          if (has_sinks[call.index]) texts_.read(call, take);
      }
      for (auto& [at, text] : texts) {
        for (const SinkLeaf& leaf : leaves_of(sinks[at], text)) {
          const std::vector<WantedText> of = wanted_of(leaf.text, options_.least_digits);
          wanted[at].insert(wanted[at].end(), of.begin(), of.end());
        }
        if (kept_arguments.fetch_add(text.size()) + text.size() <= kMostKept)
          sinks[at].text = std::move(text);
      }
    };
  });
  for (const std::vector<WantedText>& of : wanted) index.want(of);
  index.seal();
}

void TaintReading::read(const TextIndex& index, const std::function<void(ReadText&)>& each) {
  for (size_t begin = 0; begin < texts_.batches(); begin += kBatchesAtATime) {
    std::vector<std::vector<ReadText>> read(std::min(kBatchesAtATime, texts_.batches() - begin));
    for_each_on(jobs_, read.size(), [&] {
      return [&](size_t batch) {
        const auto take = [&](const TextPlace& place, std::string_view text) {
          read[batch].push_back(keep(place, text, index));
        };
        std::optional<std::vector<KeptText>>& known = kept_[begin + batch];
        if (!known) return texts_.read(begin + batch, take);
        for (const KeptText& one : *known) take(one.place, one.text);
        known.reset();
      };
    });
    for (std::vector<ReadText>& batch : read)
      for (ReadText& one : batch) each(one);
  }
}

ReadText TaintReading::keep(const TextPlace& place, std::string_view text,
                            const TextIndex& index) const {
  ReadText read{place, index.find_hits(text)};
  if (!place.use) return read;
  ReadText::Extra extra;
  if (place.role == TextRole::argument) note_files(place, text, extra);
  if (place.role == TextRole::result) extra.brought = brought_by(place, text);
  if (extra.brought.call || !extra.writes.empty() || !extra.reads.empty())
    read.extra = std::make_unique<ReadText::Extra>(std::move(extra));
  return read;
}

void TaintReading::note_files(const TextPlace& place, std::string_view text,
                              ReadText::Extra& extra) const {
  const ToolUse& use = trace_.tool_uses[place.use.index];
  const ToolRules::Memory memory = rules_.memory(use);
  if (memory == ToolRules::Memory::none) return;
  const std::string_view folder = trace_[graph_.session_of(place.call).project];
  std::vector<std::string>& files =
      memory == ToolRules::Memory::writes ? extra.writes : extra.reads;
  for (const StringId target : targets_of(trace_, use))
    files.push_back(canonical_path(folder, trace_[target]));
  if (files.empty())
    for (const SinkLeaf& leaf : leaves_of(std::string(text), {"file"}))
      files.push_back(canonical_path(folder, leaf.text));
}

Brought TaintReading::brought_by(const TextPlace& place, std::string_view text) const {
  Brought brought;
  const CallId call = asked_by_[place.use.index];
  if (!call) return brought;
  const ToolUse& use = trace_.tool_uses[place.use.index];
  if (const TaintRule* const rule = rules_.source(call, use, text)) brought.untrusted = rule->kind;
  if (const TaintRule* const rule = rules_.secret(call, use, text)) brought.secret = rule->kind;
  // The sender knows its data better than a rule knows the tool that got it.
  brought.marks = data_taint_labels(text);
  for (const std::string& mark : brought.marks)
    (mark.starts_with(kUntrustedMark) ? brought.untrusted : brought.secret) = kMarkKind;
  if (!brought.untrusted.empty() || !brought.secret.empty()) brought.call = call;
  return brought;
}

}  // namespace xtrace
