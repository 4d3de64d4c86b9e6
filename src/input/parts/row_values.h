#pragma once

#include <cstdint>
#include <iterator>

#include "input/common/row_fields.h"

namespace xtrace {

/// How many values an enumeration has up to its last one.
template <class Enumeration>
constexpr uint64_t up_to(Enumeration last) {
  return static_cast<uint64_t>(last) + 1;
}

/// How many values an enumeration has: what is read is checked against it.
constexpr uint64_t values_of(Outcome) {
  return std::size(kOutcomeWords);
}
constexpr uint64_t values_of(ToolError) {
  return std::size(kToolErrorWords);
}
constexpr uint64_t values_of(TokenRule) {
  return kTokenRuleWords.size();
}
constexpr uint64_t values_of(ServiceTier) {
  return std::size(kServiceTierWords);
}
constexpr uint64_t values_of(Residency) {
  return std::size(kResidencyWords);
}
constexpr uint64_t values_of(ServerTool) {
  return std::size(kServerToolWords);
}
constexpr uint64_t values_of(Message::Role) {
  return up_to(Message::Role::other);
}
constexpr uint64_t values_of(SpanKind) {
  return up_to(SpanKind::consumer);
}
constexpr uint64_t values_of(SpanPart) {
  return up_to(SpanPart::ended);
}
constexpr uint64_t values_of(GenAi::Role) {
  return up_to(GenAi::Role::retrieval);
}
constexpr uint64_t values_of(SpanDetail::Kind) {
  return up_to(SpanDetail::Kind::exemplar);
}
constexpr uint64_t values_of(Remark::Kind) {
  return up_to(Remark::Kind::number);
}
constexpr uint64_t values_of(TaskStep::Type) {
  return up_to(TaskStep::Type::other);
}
constexpr uint64_t values_of(SessionNote::Kind) {
  return up_to(SessionNote::Kind::title);
}
constexpr uint64_t values_of(BlockSize::Kind) {
  return up_to(BlockSize::Kind::image);
}
constexpr uint64_t values_of(Utterance::Form) {
  return up_to(Utterance::Form::aside_summary);
}
constexpr uint64_t values_of(Utterance::Way) {
  return up_to(Utterance::Way::copied);
}
constexpr uint64_t values_of(Utterance::Version) {
  return up_to(Utterance::Version::begun);
}
constexpr uint64_t values_of(Utterance::Kind) {
  return up_to(Utterance::Kind::closing);
}
constexpr uint64_t values_of(AgentRelation::Kind) {
  return up_to(AgentRelation::Kind::portion);
}
constexpr uint64_t values_of(UsageTerms::Scope) {
  return up_to(UsageTerms::Scope::session);
}
constexpr uint64_t values_of(UsageTerms::Form) {
  return up_to(UsageTerms::Form::missing);
}
constexpr uint64_t values_of(UsageTerms::Place) {
  return up_to(UsageTerms::Place::time);
}
constexpr uint64_t values_of(UsageTerms::Unit) {
  return up_to(UsageTerms::Unit::credits);
}
constexpr uint64_t values_of(UsageStatement::Scope) {
  return std::size(kStatementScopeWords);
}
constexpr uint64_t values_of(UsageStatement::Form) {
  return std::size(kStatementFormWords);
}
constexpr uint64_t values_of(UsageStatement::SetAside) {
  return std::size(kSetAsideWords);
}
constexpr uint64_t values_of(Complaint::Kind) {
  return up_to(Complaint::Kind::unfinished);
}

}  // namespace xtrace
