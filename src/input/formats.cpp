#include <iterator>
#include <vector>

#include "input/common/format.h"
#include "input/common/needs.h"
#include "input/common/record_pattern.h"

namespace xtrace {

// Each is in the file that reads it.
extern const Format kAider, kAtif, kClaudeTrace, kLitellm, kHelicone, kBatch, kBatchRequests, kHar,
    kCallLog, kProxyLog, kCodex, kAmp, kRooCode, kCline, kGeminiCli, kAdk, kDroid, kPi, kClaudeCode,
    kCopilotCli, kKiro, kCursor, kOtlp, kOtelSdk, kOpenaiAgents, kLangsmith, kLangfuse, kOpik,
    kWeave, kBraintrust, kDatadogLlm, kBedrock, kAzureMonitor, kXRay, kElasticApm, kMlflow,
    kInspectAi, kFlatSpans, kZipkin, kJaeger, kQueryTrace, kGraphDocument, kStepEvents, kThoughtLog,
    kAgentEvents, kOpenCode, kGoose, kMiniSweAgent, kSweAgent, kOpenHands, kConversation, kQwenCode,
    kGptme, kCommandCode, kReasonix, kVsCodeChat, kVibe, kGrok, kGrokCli, kAntigravity, kAnswerLog;

std::span<const Format> formats() {
  static const Format kFormats[] = {
      kAtif,        kClaudeTrace,  kLitellm,      kHelicone,    kBatch,        kBatchRequests,
      kBedrock,     kHar,          kCallLog,      kProxyLog,    kGrok,         kGrokCli,
      kAntigravity, kVibe,         kCodex,        kAmp,         kRooCode,      kCline,
      kGeminiCli,   kAdk,          kGoose,        kCommandCode, kDroid,        kPi,
      kCursor,      kClaudeCode,   kCopilotCli,   kKiro,        kAider,        kOtlp,
      kOtelSdk,     kOpenaiAgents, kLangsmith,    kLangfuse,    kOpik,         kWeave,
      kBraintrust,  kDatadogLlm,   kAzureMonitor, kXRay,        kElasticApm,   kMlflow,
      kInspectAi,   kFlatSpans,    kZipkin,       kJaeger,      kQueryTrace,   kGraphDocument,
      kStepEvents,  kThoughtLog,   kAgentEvents,  kOpenCode,    kMiniSweAgent, kSweAgent,
      kOpenHands,   kQwenCode,     kVsCodeChat,   kAnswerLog,   kConversation, kGptme,
      kReasonix};
  static_assert(std::size(kFormats) < Extent::kUnknownFormat);
  return kFormats;
}

const Format* format_of_list(json::element first) {
  if (!json::is_object(first)) return nullptr;
  const Format* own = format_of(first);
  for (const Format& format : formats()) {
    if (&format == own) return nullptr;  // a list of records
    if (format.begins_list != nullptr && format.begins_list(first)) return &format;
  }
  return nullptr;
}

const Format* format_of(json::element record) {
  RecordMatcher matcher(record);
  return format_of(matcher);
}

const Format* format_of(RecordMatcher& record) {
  static const Needs needs(formats());
  const json::element value = record;
  if (json::element first; json::is_array(value))
    return value.at(0).get(first) ? nullptr : format_of_list(first);
  const auto is_it = [&](const Format& format) {
    return format.matches != nullptr ? format.matches(record) : format.fits(value);
  };
  if (record.keys() == nullptr) {
    const Needs::Met met = needs.met_by(value);
    for (const Format& format : formats())
      if (needs.may_fit(format, met) && is_it(format)) return &format;
    return nullptr;
  }
  const auto judge = [&](const KeyShape& keys) {
    std::vector<uint8_t> may_fit;
    const Needs::Met met = needs.met_by(value);
    for (const Format& format : formats())
      if (needs.may_fit(format, met) && (format.may_match == nullptr || format.may_match(keys)))
        may_fit.push_back(index_of(format));
    return may_fit;
  };
  for (const uint8_t nth : record.keys()->formats(judge))
    if (is_it(formats()[nth])) return &formats()[nth];
  return nullptr;
}

bool fits(const Format& format, json::element record) {
  if (format.matches == nullptr) return format.fits(record);
  RecordMatcher matcher(record);
  return format.matches(matcher);
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats())
    if (format.name == name) return &format;
  return nullptr;
}

const Format* format_at(const Extent& at) {
  return at.format < formats().size() ? &formats()[at.format] : nullptr;
}

uint8_t index_of(const Format& format) {
  return static_cast<uint8_t>(&format - formats().data());
}

}  // namespace xtrace
