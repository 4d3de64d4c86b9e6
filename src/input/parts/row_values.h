#pragma once

#include <cstdint>
#include <iterator>
#include <tuple>

#include "input/common/row_fields.h"

namespace xtrace {

/// The last value of an enumeration that has a word for each.
template <class Enumeration>
constexpr Enumeration last_of(const auto& words) {
  return static_cast<Enumeration>(std::size(words) - 1);
}

/// The last value of each enumeration in a row.
inline constexpr std::tuple kLastValues(
    Message::Role::other, SpanKind::consumer, SpanPart::ended, GenAi::Role::retrieval,
    SpanDetail::Kind::exemplar, Remark::Kind::number, TaskStep::Type::other,
    SessionNote::Kind::title, BlockSize::Kind::image, Utterance::Form::aside_summary,
    Utterance::Way::copied, Utterance::Version::begun, Utterance::Kind::closing,
    AgentRelation::Kind::portion, UsageTerms::Scope::session, UsageTerms::Form::missing,
    UsageTerms::Place::time, UsageTerms::Unit::credits, Complaint::Kind::unfinished,
    last_of<Outcome>(kOutcomeWords), last_of<ToolError>(kToolErrorWords),
    last_of<TokenRule>(kTokenRuleWords), last_of<ServiceTier>(kServiceTierWords),
    last_of<Residency>(kResidencyWords), last_of<ServerTool>(kServerToolWords),
    last_of<UsageStatement::Scope>(kStatementScopeWords),
    last_of<UsageStatement::Form>(kStatementFormWords),
    last_of<UsageStatement::SetAside>(kSetAsideWords));

/// How many values an enumeration has: what is read is checked against it.
template <class Enumeration>
constexpr uint64_t values_of(Enumeration) {
  return static_cast<uint64_t>(std::get<Enumeration>(kLastValues)) + 1;
}

}  // namespace xtrace
