#include "input/transcripts/made_usage.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>
#include <utility>

namespace xtrace {

namespace {

using Json = nlohmann::json;

int64_t sent(const Tokens& tokens) {
  return tokens.input + tokens.cache_read + tokens.cache_creation;
}

Tokens plus(Tokens sum, const Tokens& more) {
  sum.input += more.input;
  sum.output += more.output;
  sum.cache_read += more.cache_read;
  sum.cache_creation += more.cache_creation;
  return sum;
}

const Tokens kNone{.input = 0, .output = 0, .cache_read = 0, .cache_creation = 0};

bool is_lower(const Tokens& tokens, const Tokens& sum) {
  return tokens.input < sum.input || tokens.output < sum.output ||
         tokens.cache_read < sum.cache_read || tokens.cache_creation < sum.cache_creation;
}

/// Draws by itself, so that all machines draw the same.
class Chance {
 public:
  explicit Chance(uint32_t seed) : next_(seed) {}
  int64_t up_to(int64_t most) { return static_cast<int64_t>(next_() % (most + 1)); }
  bool is(int percent) { return up_to(99) < percent; }
  Tokens call(bool writes_cache = true) {
    return {.input = 1 + up_to(900),
            .output = 1 + up_to(300),
            .cache_read = up_to(5000),
            .cache_creation = writes_cache ? up_to(700) : 0};
  }

 private:
  std::mt19937 next_;
};

std::string time_of(int64_t milliseconds) {
  return fmt::format("2026-02-03T{:02}:{:02}:{:02}.{:03}Z", 8 + milliseconds / 3'600'000,
                     milliseconds / 60'000 % 60, milliseconds / 1000 % 60, milliseconds % 1000);
}

/// A rollout of Codex: calls with the counts that follow each.
class Rollout {
 public:
  struct Style {
    bool has_last = true, has_total = true, has_records = false;
  };
  Rollout(Style style, std::string id, std::string from, Chance& chance)
      : style_(style), id_(std::move(id)), chance_(&chance) {
    Json meta = {{"id", id_}, {"source", "cli"}, {"timestamp", time_of(now_)}};
    if (!from.empty()) meta["forked_from_id"] = from;
    line("session_meta", meta);
  }

  /// What the parent said, dated to the moment of the copy.
  void copy(const Rollout& parent) {
    for (Json line : parent.lines_) {
      line["timestamp"] = time_of(now_ + 1);
      lines_.push_back(line);
    }
    sum_ = parent.sum_;
    now_ += 10'000;
  }

  void turn() {
    line("turn_context", {{"model", "gpt-5.5"}});
    say("user", "input_text");
  }
  void answer(bool may_lack_last = false) {
    const Tokens used = take();
    say("assistant", "output_text");
    record(used);
    count(used, style_.has_last && !may_lack_last);
    if (style_.has_total && chance_->is(30))
      lines_.push_back(last_count_);  // limits are reported with it again
  }
  /// A summary or an answer that the user stopped. Without a record, only the total counts it.
  void call_without_answer(bool is_compaction) {
    const Tokens used = take();
    record(used);
    if (!style_.has_records) count(used, style_.has_last);
    if (is_compaction)
      line("compacted", {{"message", ""}});
    else
      line("event_msg", {{"type", "turn_aborted"}, {"reason", "interrupted"}});
  }
  /// A program that counts from nothing once more.
  void restart() { sum_ = kNone; }
  bool may_restart(const Tokens& next) const { return is_lower(next, sum_); }

  Tokens used() const { return used_; }
  std::string text() const {
    std::string text;
    for (const Json& line : lines_) text += line.dump() + "\n";
    return text;
  }
  size_t size() const { return lines_.size(); }

 private:
  Tokens take() {
    Tokens used = chance_->call(false);
    used.cache_creation = 0;
    used_ = plus(used_, used);
    return used;
  }
  void line(const char* type, Json payload) {
    lines_.push_back({{"timestamp", time_of(now_ += 2000)}, {"type", type}, {"payload", payload}});
  }
  void say(const char* role, const char* type) {
    line("response_item",
         {{"type", "message"},
          {"role", role},
          {"content", {{{"type", type}, {"text", fmt::format("{}{}", id_, ++said_)}}}}});
  }
  static Json counts(const Tokens& tokens) {
    return {{"input_tokens", sent(tokens)},
            {"cached_input_tokens", tokens.cache_read},
            {"output_tokens", tokens.output}};
  }
  void record(const Tokens& used) {
    if (style_.has_records)
      line("token_usage_record",
           {{"response_id", fmt::format("resp_{}{}", id_, ++said_)}, {"usage", counts(used)}});
  }
  void count(const Tokens& used, bool has_last) {
    sum_ = plus(sum_, used);
    if (!style_.has_total) return;
    Json info = {{"total_token_usage", counts(sum_)}, {"last_token_usage", nullptr}};
    if (has_last) info["last_token_usage"] = counts(used);
    line("event_msg", {{"type", "token_count"}, {"info", info}});
    last_count_ = lines_.back();
  }

  Style style_;
  std::string id_;
  Chance* chance_;
  std::vector<Json> lines_;
  Json last_count_;
  Tokens sum_ = kNone, used_ = kNone;
  int64_t now_ = 0;
  int said_ = 0;
};

MadeUsage codex(Chance chance, int variant) {
  constexpr Rollout::Style kStyles[] = {
      {.has_last = true, .has_total = true, .has_records = false},
      {.has_last = false, .has_total = true, .has_records = false},
      {.has_last = true, .has_total = true, .has_records = true},
      {.has_last = true, .has_total = false, .has_records = true}};
  const Rollout::Style style = kStyles[variant % 4];
  MadeUsage made;
  made.shape = fmt::format("codex, last {}, total {}, records {}", style.has_last, style.has_total,
                           style.has_records);
  const auto work = [&](Rollout& log, int64_t turns) {
    for (int64_t turn = 0; turn < turns; ++turn) {
      log.turn();
      for (int64_t calls = chance.up_to(2); calls-- > 0;) log.answer(chance.is(20));
      log.answer();
      if (chance.is(25)) log.call_without_answer(true);
    }
    if (style.has_records && chance.is(40)) {
      log.turn();
      log.call_without_answer(false);
    }
  };
  Rollout log(style, "s", {}, chance);
  work(log, 1 + chance.up_to(4));
  const int how = variant / 4 % 4;
  made.truth = log.used();
  if (how == 1) {
    Rollout fork(style, "f", "s", chance);
    fork.copy(log);
    work(fork, 1 + chance.up_to(2));
    made.shape += ", forked";
    made.files = {{"a.jsonl", log.text()}, {"b.jsonl", fork.text()}};
    made.truth = plus(log.used(), fork.used());
  } else if (how == 2) {
    Rollout fork(style, "f", "s", chance);
    fork.copy(log);
    work(fork, 1 + chance.up_to(2));
    made.shape += ", forked without its parent";
    made.files = {{"b.jsonl", fork.text()}};
    made.truth = fork.used();
  } else {
    made.files = {{"a.jsonl", log.text()}};
    if (how == 3) made.files.push_back({"copy.jsonl", log.text()});
    if (how == 3) made.shape += ", with a copy";
  }
  return made;
}

/// What `codex exec --json` prints: a running total at the end of each turn.
MadeUsage codex_exec(Chance chance, int variant) {
  MadeUsage made;
  made.shape = "codex exec";
  Tokens sum = kNone;
  made.truth = kNone;
  const auto print = [&](int64_t turns, bool has_empty_turn) {
    std::string text = R"({"type":"thread.started","thread_id":"t"})"
                       "\n";
    for (int64_t turn = 0; turn < turns; ++turn) {
      Tokens used = chance.call(false);
      const bool restarts = variant % 2 == 1 && turn > 0 && chance.is(30) && is_lower(used, sum);
      sum = restarts ? used : plus(sum, used);
      made.truth = plus(made.truth, used);
      text += "{\"type\":\"turn.started\"}\n";
      if (!has_empty_turn || turn != 1)
        text += fmt::format(
            R"({{"type":"item.completed","item":{{"id":"i{}","type":"agent_message","text":"{}"}}}})"
            "\n",
            turn, sum.output);
      text += fmt::format(
          R"({{"type":"turn.completed","usage":{{"input_tokens":{},"cached_input_tokens":{},"output_tokens":{}}}}})"
          "\n",
          sent(sum), sum.cache_read, sum.output);
    }
    return text;
  };
  const std::string first = print(2 + chance.up_to(3), variant % 3 == 0);
  made.files = {{"1.jsonl", first}};
  if (variant % 4 == 2) {
    made.shape += ", resumed into another file";
    made.files.push_back({"2.jsonl", print(1 + chance.up_to(2), false)});
  } else if (variant % 4 == 3) {
    made.shape += ", with a copy of its beginning";
    size_t end = first.find("turn.completed");
    end = first.find('\n', end) + 1;
    made.files.push_back({"0.jsonl", first.substr(0, end)});
  }
  return made;
}

Json claude_counts(const Tokens& tokens) {
  return {{"inputTokens", tokens.input},
          {"outputTokens", tokens.output},
          {"cacheReadInputTokens", tokens.cache_read},
          {"cacheCreationInputTokens", tokens.cache_creation}};
}
Json anthropic_counts(const Tokens& tokens) {
  return {{"input_tokens", tokens.input},
          {"output_tokens", tokens.output},
          {"cache_read_input_tokens", tokens.cache_read},
          {"cache_creation_input_tokens", tokens.cache_creation}};
}

/// Runs of `claude -p`: results by turn, with totals of the program so far.
MadeUsage claude(Chance chance, int variant) {
  const bool has_answers = variant % 2 == 0;
  MadeUsage made;
  made.shape = fmt::format("claude -p, answers {}", has_answers);
  made.truth = kNone;
  std::string text;
  Tokens main = kNone, helper = kNone;
  int64_t cost = 0;
  made.cost = 0;
  const int64_t turns = 2 + chance.up_to(3);
  for (int64_t turn = 0, nth = 0; turn < turns; ++turn) {
    if (chance.is(35)) main = helper = kNone, cost = 0;  // a program that was started anew
    const int64_t calls = 1 + (has_answers ? chance.up_to(2) : 0);
    Tokens used = kNone;
    for (int64_t call = 0; call < calls; ++call, ++nth) {
      Tokens of_call = chance.call();
      of_call.input += 1000;
      used = plus(used, of_call);
      if (!has_answers) continue;
      text += Json{{"type", "user"},
                   {"session_id", "s"},
                   {"uuid", fmt::format("u{}", nth)},
                   {"message", {{"role", "user"}, {"content", fmt::format("do {}", nth)}}}}
                  .dump() +
              "\n";
      text += Json{{"type", "assistant"},
                   {"session_id", "s"},
                   {"uuid", fmt::format("a{}", nth)},
                   {"message",
                    {{"id", fmt::format("msg_{}", nth)},
                     {"role", "assistant"},
                     {"model", "large"},
                     {"stop_reason", "end_turn"},
                     {"content", {{{"type", "text"}, {"text", fmt::format("done {}", nth)}}}},
                     {"usage", anthropic_counts(of_call)}}}}
                  .dump() +
              "\n";
    }
    main = plus(main, used);
    made.truth = plus(made.truth, used);
    Json models = {{"large", claude_counts(main)}};
    if (variant / 2 % 2 == 1 && chance.is(60)) {
      Tokens small = {.input = 1 + chance.up_to(50), .output = 1 + chance.up_to(9)};
      small.cache_read = small.cache_creation = 0;
      helper = plus(helper, small);
      made.truth = plus(made.truth, small);
    }
    const int64_t paid = 1'000'000 * (1 + chance.up_to(90));
    cost += paid;
    made.cost += paid;
    if (sent(helper) > 0) models["small"] = claude_counts(helper);
    text += Json{{"type", "result"},
                 {"subtype", "success"},
                 {"is_error", false},
                 {"session_id", "s"},
                 {"uuid", fmt::format("r{}", turn)},
                 {"result", fmt::format("done {}", nth - 1)},
                 {"num_turns", calls},
                 {"usage", anthropic_counts(used)},
                 {"modelUsage", models},
                 {"total_cost_usd", static_cast<double>(cost) / 1e9}}
                .dump() +
            "\n";
    if (chance.is(20)) text += text.substr(text.rfind('\n', text.size() - 2) + 1);
  }
  made.files = {{"out.jsonl", text}};
  return made;
}

/// Sessions of Claude Code, the second one resumed from the first: it begins with a copy of that,
/// as it was or with new ids and times.
MadeUsage resumed(Chance chance, int variant) {
  const bool is_restamped = variant % 2 == 1;
  MadeUsage made;
  made.shape = fmt::format("claude, resumed, with new ids {}", is_restamped);
  made.truth = kNone;
  struct Said {
    Json line;
    int64_t time;
  };
  std::vector<Said> all;
  int64_t now = 0;
  const auto work = [&](int64_t turns) {
    for (int64_t turn = 0; turn < turns; ++turn) {
      const size_t nth = all.size();
      all.push_back({{{"type", "user"},
                      {"message", {{"role", "user"}, {"content", fmt::format("do {}", nth)}}}},
                     now += 1000});
      const Tokens used = chance.call();
      made.truth = plus(made.truth, used);
      Json answer = {{"type", "assistant"},
                     {"message",
                      {{"id", fmt::format("msg_{}", nth)},
                       {"role", "assistant"},
                       {"model", "large"},
                       {"usage", anthropic_counts(used)}}}};
      const int64_t pieces = 1 + chance.up_to(1);
      for (int64_t piece = 0; piece < pieces; ++piece) {
        answer["message"]["content"] = {
            {{"type", "text"}, {"text", fmt::format("done {} {}", nth, piece)}}};
        all.push_back({answer, now += 1000});
      }
    }
  };
  const auto text_of = [&](const std::string& session, size_t copied) {
    std::string text;
    Json before = nullptr;
    for (size_t i = 0; i < all.size(); ++i) {
      const bool is_new = i < copied && is_restamped;
      Json line = all[i].line;
      line["sessionId"] = session;
      line["uuid"] = fmt::format("{}{}", is_new ? session : "", i);
      line["parentUuid"] = before;
      line["timestamp"] = time_of(is_new ? 3'000'000 : all[i].time);
      before = line["uuid"];
      text += line.dump() + "\n";
    }
    return text;
  };
  work(1 + chance.up_to(3));
  made.files = {{"s.jsonl", text_of("s", 0)}};
  const size_t copied = all.size();
  now = 3'600'000;
  work(1 + chance.up_to(2));
  made.files.push_back({"r.jsonl", text_of("r", copied)});
  return made;
}

/// Sessions of Copilot CLI: answers state their output, the ends of runs all kinds.
MadeUsage copilot(Chance chance, int variant) {
  const bool goes_on = variant % 2 == 0, has_credits = variant / 2 % 2 == 0;
  MadeUsage made;
  made.shape = fmt::format("copilot, counts on {}, credits {}", goes_on, has_credits);
  made.truth = kNone;
  std::string text;
  int nth = 0;
  int64_t now = 0, credits = 0, calls = 0;
  if (has_credits) made.cost = 0;
  const auto line = [&](const char* type, Json data) {
    text += Json{{"type", type},
                 {"data", std::move(data)},
                 {"id", fmt::format("e{}", ++nth)},
                 {"timestamp", time_of(now += 1000)},
                 {"parentId", nullptr}}
                .dump() +
            "\n";
  };
  line("session.start", {{"sessionId", "c"}, {"producer", "copilot-agent"}});
  Tokens sum = kNone;
  for (int64_t run = 0, runs = 1 + chance.up_to(2); run < runs; ++run) {
    if (!goes_on) sum = kNone, credits = calls = 0;
    for (int64_t turn = 0, turns = 1 + chance.up_to(2); turn < turns; ++turn) {
      const Tokens used = chance.call();
      const int64_t paid = 100'000'000 * (1 + chance.up_to(90));  // billionths of a credit
      line("user.message", {{"content", fmt::format("do {}", nth)}});
      line("assistant.message", {{"messageId", fmt::format("m{}", nth)},
                                 {"apiCallId", fmt::format("a{}", nth)},
                                 {"model", "large"},
                                 {"content", fmt::format("done {}", nth)},
                                 {"outputTokens", used.output}});
      sum = plus(sum, used);
      made.truth = plus(made.truth, used);
      ++calls;
      if (!has_credits) continue;
      credits += paid;
      made.cost += paid / 100;
      if (chance.is(40)) line("session.usage_checkpoint", {{"totalNanoAiu", credits}});
    }
    Json metric = {{"requests", {{"count", calls}}},
                   {"usage",
                    {{"inputTokens", sent(sum)},
                     {"outputTokens", sum.output},
                     {"cacheReadTokens", sum.cache_read},
                     {"cacheWriteTokens", sum.cache_creation}}}};
    Json data = {{"modelMetrics", {{"large", metric}}}};
    if (has_credits) data["totalNanoAiu"] = credits;
    line("session.shutdown", data);
  }
  made.files = {{"c/events.jsonl", text}};
  return made;
}

/// Conversations of OpenHands, which state from time to time what all used up.
MadeUsage openhands(Chance chance, int variant) {
  MadeUsage made;
  made.shape = "openhands";
  made.truth = kNone;
  made.cost = 0;
  std::string text;
  Tokens sum = kNone;
  int64_t now = 0, cost = 0;
  Json usages = Json::array();
  const auto event = [&](const char* kind, const char* source, Json more) {
    more.update({{"kind", kind},
                 {"id", fmt::format("e{}", now)},
                 {"timestamp", time_of(now += 1000).substr(0, 23)},
                 {"source", source}});
    text += more.dump() + "\n";
  };
  const auto message = [](const char* role, int64_t nth) -> Json {
    return {{"role", role},
            {"content", {{{"type", "text"}, {"text", fmt::format("{} {}", role, nth)}}}}};
  };
  for (int64_t turn = 0, turns = 2 + chance.up_to(3); turn < turns; ++turn) {
    const Tokens used = chance.call();
    const int64_t paid = 1'000'000 * (1 + chance.up_to(90));
    if (variant % 2 == 1 && turn > 0 && chance.is(30) && is_lower(used, sum) && paid < cost) {
      sum = kNone;
      cost = 0;
      usages = Json::array();
    }
    const std::string response = fmt::format("chatcmpl-{}", turn);
    event("MessageEvent", "user", {{"llm_message", message("user", turn)}});
    event("MessageEvent", "agent",
          {{"llm_message", message("assistant", turn)}, {"llm_response_id", response}});
    sum = plus(sum, used);
    cost += paid;
    made.truth = plus(made.truth, used);
    made.cost += paid;
    const auto counts = [](const Tokens& tokens) -> Json {
      return {{"model", "large"},
              {"prompt_tokens", sent(tokens)},
              {"completion_tokens", tokens.output},
              {"cache_read_tokens", tokens.cache_read},
              {"cache_write_tokens", tokens.cache_creation}};
    };
    Json one = counts(used);
    one["response_id"] = response;
    if (variant / 2 % 2 == 1) usages.push_back(one);
    const Json stats = {{"usage_to_metrics",
                         {{"agent",
                           {{"model_name", "large"},
                            {"accumulated_cost", static_cast<double>(cost) / 1e9},
                            {"accumulated_token_usage", counts(sum)},
                            {"token_usages", usages}}}}}};
    const bool is_whole = chance.is(50);
    event("ConversationStateUpdateEvent", "environment",
          {{"key", is_whole ? "full_state" : "stats"},
           {"value", is_whole ? Json{{"stats", stats}} : stats}});
  }
  made.files = {{"c/events.jsonl", text}};
  return made;
}

/// Sessions of Droid, whose counts are beside them, in a file that may have backups.
MadeUsage droid(Chance chance, int variant) {
  MadeUsage made;
  made.shape = "droid";
  const auto settings = [](const Tokens& tokens) {
    return Json{{"assistantActiveTimeMs", 9000},
                {"model", "large"},
                {"tokenUsage",
                 {{"inputTokens", tokens.input},
                  {"outputTokens", tokens.output},
                  {"cacheReadTokens", tokens.cache_read},
                  {"cacheCreationTokens", tokens.cache_creation}}}}
        .dump();
  };
  std::string text = R"({"type":"session_start","id":"d","cwd":"/d"})"
                     "\n";
  for (int i = 0; i < 2; ++i)
    text += Json{{"type", "message"},
                 {"id", fmt::format("m{}", i)},
                 {"timestamp", time_of(1000 * (i + 1))},
                 {"message",
                  {{"role", i == 0 ? "user" : "assistant"},
                   {"content", {{{"type", "text"}, {"text", fmt::format("word {}", i)}}}}}}}
                .dump() +
            "\n";
  const Tokens before = chance.call();
  made.truth = plus(before, chance.call());
  made.files = {{"d.jsonl", text}, {"d.settings.json", settings(made.truth)}};
  if (variant % 2 == 0) made.files.push_back({"d.settings.json.bak", settings(before)});
  if (variant % 3 == 0) made.files.push_back({"d.settings.copy.json", settings(made.truth)});
  return made;
}

/// Threads of Amp: a ledger of calls, some of which led to no message.
MadeUsage amp(Chance chance, int) {
  MadeUsage made;
  made.shape = "amp";
  made.truth = kNone;
  Json messages = Json::array(), events = Json::array();
  for (int i = 0; i < 6; ++i) {
    Json message = {{"role", i % 2 == 0 ? "user" : "assistant"},
                    {"messageId", i},
                    {"content", {{{"type", "text"}, {"text", fmt::format("word {}", i)}}}}};
    if (i % 2 == 1) {
      const Tokens used = chance.call();
      made.truth = plus(made.truth, used);
      message["state"] = {{"type", "complete"}};
      const bool is_stated = chance.is(50);
      if (is_stated)
        message["usage"] = {{"model", "large"},
                            {"inputTokens", used.input},
                            {"outputTokens", used.output},
                            {"cacheReadInputTokens", used.cache_read},
                            {"cacheCreationInputTokens", used.cache_creation}};
      if (!is_stated || chance.is(50))
        events.push_back({{"model", "large"},
                          {"operationType", "inference"},
                          {"toMessageId", i},
                          {"tokens",
                           {{"input", used.input},
                            {"output", used.output},
                            {"cacheReadInputTokens", used.cache_read},
                            {"cacheCreationInputTokens", used.cache_creation}}}});
    }
    messages.push_back(message);
  }
  for (int64_t others = chance.up_to(2); others-- > 0;) {
    const Tokens used = chance.call();
    made.truth = plus(made.truth, used);
    events.push_back({{"model", "small"},
                      {"operationType", "title"},
                      {"tokens",
                       {{"input", used.input},
                        {"output", used.output},
                        {"cacheReadInputTokens", used.cache_read},
                        {"cacheCreationInputTokens", used.cache_creation}}}});
  }
  made.files = {{"T-1.json", Json{{"id", "T-1"},
                                  {"created", 1'770'105'600'000},
                                  {"messages", messages},
                                  {"usageLedger", {{"events", events}}}}
                                 .dump()}};
  return made;
}

}  // namespace

MadeUsage make_usage(uint32_t seed) {
  constexpr MadeUsage (*kMakers[])(Chance, int) = {codex,   codex_exec, claude, resumed,
                                                   copilot, openhands,  droid,  amp};
  const uint32_t maker = seed % std::size(kMakers);
  return kMakers[maker](Chance(seed), static_cast<int>(seed / std::size(kMakers)));
}

}  // namespace xtrace
