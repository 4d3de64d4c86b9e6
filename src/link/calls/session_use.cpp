#include "link/calls/session_use.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "facts/token_sums.h"
#include "link/calls/sessions.h"

namespace xtrace {

namespace {

/// What no call tells of; nothing where calls tell of more: then the two count differently. Where
/// nothing is said of a cache, what went through one is among the input.
Tokens beyond(const Tokens& all, Tokens of_calls) {
  if (all.cache_read == kNoCount && all.cache_creation == kNoCount)
    of_calls.input = tokens_sent(of_calls);
  Tokens rest;
  for (int64_t Tokens::*count : kTokenKinds)
    if (all.*count != kNoCount)
      rest.*count = std::max<int64_t>(all.*count - std::max<int64_t>(of_calls.*count, 0), 0);
  return rest;
}

/// Its own and, for totals that name none, no model.
std::vector<StringId> models_of(const Call& call) {
  return call.model ? std::vector<StringId>{call.model, StringId{}} : std::vector<StringId>{{}};
}

}  // namespace

/// Its numbers, not its models.
void SessionUse::add(const SessionUse& other) {
  calls = sum_of_known({calls, other.calls});
  cost = sum_of_known({cost, other.cost});
  add_tokens(tokens, other.tokens);
  add_tokens(beyond_calls, other.beyond_calls);
}

void find_session_uses(const Timeline& timeline, Sessions& sessions) {
  const Trace& trace = timeline.trace();
  std::unordered_map<uint32_t, Session*> by_id;
  std::map<std::pair<uint32_t, StringId>, Tokens> told;  // by session and model
  if (trace.usage_statements.empty()) return;
  for (Session& session : sessions.all)
    if (session.id) by_id.emplace(session.id.index, &session);
  const UsageStatement* last = nullptr;
  int64_t of_models = 0;  // money, in the same record
  for (const UsageStatement& total : trace.usage_statements) {
    auto found = by_id.find(total.session.index);
    if (!total.counts() || !total.session || found == by_id.end()) continue;
    Session& session = *found->second;
    const bool is_same = last != nullptr && last->source.file == total.source.file &&
                         last->source.offset == total.source.offset && last->scope == total.scope;
    if (!is_same) of_models = 0;
    last = &total;
    const bool is_of_all = !total.model && total.cost >= 0;
    const int64_t cost = is_of_all ? std::max<int64_t>(total.cost - of_models, 0) : total.cost;
    if (total.model) of_models += at_least_none(total.cost);
    if (total.form == UsageStatement::Form::rest) {
      session.use.add({{}, total.calls, total.tokens, cost, total.tokens});
      continue;
    }
    const auto [sum, is_new] = told.try_emplace({session.number, total.model});
    if (is_new && total.model) session.use.models.push_back(total.model);
    session.use.add({{}, total.calls, total.tokens, cost, {}});
    add_tokens(sum->second, total.tokens);
  }
  std::map<std::pair<uint32_t, StringId>, Tokens> of_calls;
  for (const Session& session : sessions.all)
    if (session.use.is_told())
      for (CallId call : session.calls)
        for (StringId model : models_of(timeline[call]))
          add_tokens(of_calls[{session.number, model}], timeline[call].tokens);
  for (const auto& [of, tokens] : told)
    add_tokens(sessions.all[of.first - 1].use.beyond_calls, beyond(tokens, of_calls[of]));
}

}  // namespace xtrace
