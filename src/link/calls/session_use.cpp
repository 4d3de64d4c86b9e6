#include "link/calls/session_use.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "facts/token_sums.h"
#include "link/calls/sessions.h"

namespace xtrace {

namespace {

/// Does it include what turns of its session state?
bool is_total(const UsageStatement& stated) {
  return stated.form == UsageStatement::Form::total && total_of(stated.tokens) >= 0;
}

}  // namespace

/// Its numbers, not its models.
void SessionUse::add(const SessionUse& other) {
  calls = sum_of_known({calls, other.calls});
  cost = sum_of_known({cost, other.cost});
  add_tokens(tokens, other.tokens);
}

void find_session_uses(const Timeline& timeline, Sessions& sessions) {
  const Trace& trace = timeline.trace();
  std::unordered_map<uint32_t, Session*> by_id;
  std::set<std::pair<uint32_t, StringId>> named;  // models, by session
  if (trace.usage_statements.empty()) return;
  for (Session& session : sessions.all)
    if (session.id) by_id.emplace(session.id.index, &session);
  std::set<StringId> has_total;
  for (const UsageStatement& total : trace.usage_statements)
    if (total.counts() && total.scope == UsageStatement::Scope::session && is_total(total))
      has_total.insert(total.session);
  const UsageStatement* last = nullptr;
  int64_t of_models = 0;  // money, in the same record
  for (const UsageStatement& total : trace.usage_statements) {
    auto found = by_id.find(total.session.index);
    if (!total.counts() || !total.session || found == by_id.end()) continue;
    if (total.scope == UsageStatement::Scope::turn && has_total.contains(total.session)) continue;
    Session& session = *found->second;
    const bool is_same = last != nullptr && last->source.file == total.source.file &&
                         last->source.offset == total.source.offset && last->scope == total.scope;
    if (!is_same) of_models = 0;
    last = &total;
    const bool is_of_all = !total.model && total.cost >= 0;
    const int64_t cost = is_of_all ? std::max<int64_t>(total.cost - of_models, 0) : total.cost;
    if (total.model) of_models += at_least_none(total.cost);
    if (std::vector<StringId>& models = session.use.models;
        total.model && total.form != UsageStatement::Form::rest &&
        named.insert({session.number, total.model}).second)
      models.push_back(total.model);
    session.use.add({{}, total.calls, total.tokens, cost});
  }
}

}  // namespace xtrace
