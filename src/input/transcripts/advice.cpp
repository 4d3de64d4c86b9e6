#include "input/transcripts/advice.h"

#include <fmt/format.h>

#include "input/calls/answer.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"

namespace xtrace {

void add_advice(json::element message, const Utterance& said, RecordContext& context) {
  json::element iterations;
  if (!said.answer || !json::follow(message, "usage/iterations", iterations)) return;
  size_t nth = 0;
  json::items(iterations, [&](json::element iteration) {
    if (json::text_at(iteration, "type") != "advisor_message") return;
    Utterance advice;
    advice.kind = Utterance::Kind::answered;
    advice.is_whole = advice.is_aside = true;
    advice.is_newer = true;  // each line of the answer tells all that it used up so far
    advice.outcome = Outcome::ok;
    advice.source = said.source;
    advice.time = said.time;
    advice.decimals = said.decimals;
    advice.session = said.session;
    advice.agent = said.agent;
    advice.in_subagent = said.in_subagent;
    advice.tool_use = said.tool_use;
    advice.prompt = said.prompt;
    advice.after = said.id;
    advice.is_chained = said.is_chained;
    advice.id =
        context.shard.intern(fmt::format("{}/advice-{}", context.shard[said.answer], ++nth));
    advice.answer = advice.id;
    advice.model = context.shard.intern(json::text_at(iteration, "model"));
    read_anthropic_usage(iteration, advice.tokens);
    context.shard.add(advice);
  });
}

}  // namespace xtrace
