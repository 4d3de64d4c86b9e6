#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "input/calls/answer.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/part.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The Agent Trajectory Interchange Format, versions 1.0 to 1.7, one trajectory a record:
//
//   {"schema_version": "ATIF-v1.5", "session_id", "trajectory_id",
//    "agent": {"name", "version", "model_name"},
//    "steps": [{"step_id", "timestamp", "source": "system"|"user"|"agent", "message", "model_name",
//               "tool_calls": [{"tool_call_id", "function_name", "arguments"}],
//               "observation": {"results": [{"source_call_id", "content",
//                                "subagent_trajectory_ref": [{"session_id", "trajectory_id"}]}]},
//               "metrics": {"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"}}],
//    "subagent_trajectories": [ … ]}
//
// A step of the agent is one answer, unless its "llm_call_count" is 0: then the program said it, or
// asked for its tools, and it is part of the next request. The results of its tools are in the same
// step and also part of the next request. It has no time of its own: the step's is the last that
// is known before the next answer, so that a call takes as long as its step.

namespace {

/// A text, or a list of pieces with a text each.
void read_content(json::element content, Draft& draft) {
  if (json::is_string(content)) return read_block(content, draft);
  json::items(content, [&](json::element piece) { read_block(piece, draft); });
}

bool has_no_words(const Draft& draft) {
  return !draft.blocks.empty() && std::ranges::all_of(draft.blocks, [](const Block& block) {
    return block.kind == Block::Kind::text && block.text.empty();
  });
}

/// As `convert` writes it; the format has no word for it.
bool is_true_of_extra(json::element of, std::string_view key) {
  json::element extra, value;
  return json::find(of, "extra", extra) && json::find(extra, key, value) && json::is_true(value);
}

void read_tools(json::element tools, Draft& draft) {
  json::items(tools, [&](json::element call) {
    read_tool_use(call, {"tool_call_id", "function_name", "arguments"}, draft);
    // Of our own (view/convert/trajectories.cpp): what the tool was given is not in it.
    json::element extra, missing;
    if (json::find(call, "extra", extra) && json::find(extra, "xtrace.arguments", missing))
      draft.blocks.back().has_body = false;
  });
}

/// Results that no call read, our own as well: only its own step knows the outcome of the tool.
void read_unread(json::element results, Draft& draft) {
  draft.role = Message::Role::user;
  json::items(results, [&](json::element result) {
    const std::string status = json::text_on(result, "extra/xtrace.status");
    if (!is_true_of_extra(result, "xtrace.is_unread") || status.empty()) return;
    Block& observed = draft.blocks.emplace_back();
    observed.kind = Block::Kind::tool_result;
    observed.id = json::text_at(result, "source_call_id");
    observed.is_error = status == word(Outcome::error);
    if (status == word(Outcome::unfinished)) observed.task = observed.id;
  });
}

void read_atif_said(json::element step, Draft& draft) {
  std::string_view source = json::text_at(step, "source");
  draft.role = source == "agent"  ? Message::Role::assistant
               : source == "user" ? Message::Role::user
                                  : Message::Role::other;
  json::element value;
  if (json::find(step, "message", value)) read_content(value, draft);
  if (draft.role == Message::Role::user && has_no_words(draft)) {
    // What was said is not in it (convert without --level full). Two such steps are not the same
    // words said again.
    Block& unknown = draft.blocks.emplace_back();
    unknown.has_body = true;
    unknown.body = step;
  }
  if (json::find(step, "tool_calls", value)) read_tools(value, draft);
}

/// What the model reads about its tools, and about what else happened.
void read_results(json::element observation, Draft& draft) {
  draft.role = Message::Role::user;
  json::element results;
  if (!json::find(observation, "results", results)) return;
  json::items(results, [&](json::element result) {
    if (is_true_of_extra(result, "xtrace.is_unread")) return;  // no call read it
    Block observed;
    observed.id = json::text_at(result, "source_call_id");
    observed.has_body = json::find(result, "content", observed.body);
    if (observed.has_body) observed.text = json::text(observed.body);
    if (observed.id.empty()) {
      draft.role = Message::Role::other;  // no tool gave it, and no user said it
      if (observed.has_body) read_content(observed.body, draft);
      return;
    }
    observed.kind = Block::Kind::tool_result;
    observed.is_error = is_true_of_extra(result, "is_error");
    if (json::text_on(result, "extra/xtrace.status") == word(Outcome::unfinished))
      observed.task = observed.id;
    observed.in_answer = is_true_of_extra(result, "xtrace.in_answer");
    draft.blocks.push_back(observed);
  });
}

Tokens read_metrics(json::element metrics) {
  Tokens tokens;
  int64_t prompt = kNoCount, cached = kNoCount, written = kNoCount;
  json::fields(metrics, [&](std::string_view key, json::element value) {
    if (key == "prompt_tokens")
      prompt = json::count(value, prompt);
    else if (key == "cached_tokens")
      cached = json::count(value, cached);
    else if (key == "completion_tokens")
      tokens.output = json::count(value, tokens.output);
    else if (key == "extra")  // as `convert` writes it; the format has no word for it
      written = json::count_on(value, "cache_creation_tokens|cache_creation_input_tokens", written);
  });
  count_input(prompt, cached, tokens);
  if (written >= 0 && tokens.input >= written) {
    tokens.cache_creation = written;
    tokens.input -= written;
  }
  return tokens;
}

/// What names a trajectory: several of one session have ids of their own.
std::string_view name_of(json::element trajectory) {
  std::string_view id = json::text_at(trajectory, "trajectory_id");
  return id.empty() ? json::text_at(trajectory, "session_id") : id;
}

class Trajectory {
 public:
  Trajectory(json::element record, RecordContext& context)
      : context_(context), shard_(context.shard), name_(name_of(record)) {
    json::element agent, below;
    said_.session = shard_.intern(json::text_at(record, "session_id"));
    if (!said_.session) said_.session = shard_.intern(name_);
    begin_of_ids_ = name_.size() <= kMostNameBytes ? std::string(name_) : shortened_name(name_);
    if (json::find(record, "subagent_trajectories", below))
      json::items(below, [&](json::element trajectory) { note_name(trajectory); });
    if (!json::find(record, "agent", agent)) return;
    said_.agent_type = shard_.intern(json::text_at(agent, "name"));
    model_ = shard_.intern(json::text_at(agent, "model_name"));
  }

  /// It is a subagent's, of a session that another trajectory has.
  void inside(StringId session) {
    said_.session = session;
    said_.agent = shard_.intern(name_);
    said_.in_subagent = true;
  }

  /// The programs that note it have no common word for the folder.
  void note_project(json::element record, const Extent& at) const {
    note_session(shard_, SessionNote::Kind::project, at, said_.session,
                 json::text_on(record, "working_directory|cwd|workspace_dirs/0"));
  }

  void read(json::element record, const Part& whole) {
    each_item(record, whole, "steps",
              [&](json::element step, const Part& part) { read_step(step, part); });
    each_item(record, whole, "subagent_trajectories",
              [&](json::element trajectory, const Part& part) {
                Trajectory below(trajectory, context_);
                below.inside(said_.session);
                below.read(trajectory, part);
              });
  }

 private:
  /// A reference may name it by either id; a session that several are of names none of them.
  void note_name(json::element trajectory) {
    const std::string_view name = name_of(trajectory);
    below_[name] = name;
    const std::string_view session = json::text_at(trajectory, "session_id");
    if (session.empty() || session == shard_[said_.session]) return;
    const auto [known, is_new] = below_.try_emplace(session, name);
    if (!is_new && known->second != session) known->second = {};
  }

  /// Finds what a reference names: a trajectory of this record, or another record, which goes by
  /// its session.
  std::string_view name_of_reference(json::element named) const {
    const std::string_view session = json::text_at(named, "session_id");
    for (const std::string_view id : {json::text_at(named, "trajectory_id"), session})
      if (const auto known = below_.find(id); known != below_.end() && !known->second.empty())
        return known->second;
    const bool is_other = !session.empty() && session != shard_[said_.session];
    return is_other ? session : name_of(named);
  }

  void read_step(json::element step, const Part& part) {
    Utterance said = said_;
    said.source = part.at;
    json::element value;
    std::string_view source = json::text_at(step, "source"), time;
    if (json::find(step, "timestamp", value)) read_time(value, said);
    if (said.time != kNoTime) time = json::text(value);
    int64_t number = json::find(step, "step_id", value) ? json::count(value, kNoCount) : kNoCount;
    std::string name;
    if (number != kNoCount && !name_.empty()) {
      said.request = shard_.intern(fmt::format("{}:{}", begin_of_ids_, number));
      // A trajectory that is given twice counts once; one that only has the same name does not.
      name = fmt::format("{}:{}@{}", begin_of_ids_, number, time);
      said.id = shard_.intern(name);
    }
    // What `convert` wrote knows what the call was called before.
    if (json::find(step, "extra", value))
      if (std::string_view known = json::text_at(value, "xtrace.id"); !known.empty())
        said.request = shard_.intern(known);
    if (json::find(step, "is_copied_context", value) && json::is_true(value)) {
      shard_.add(said);  // the trajectory before this one has it
      return;
    }
    said.kind = Utterance::Kind::asked;
    if (source == "agent" && json::count_on(step, "llm_call_count", 1) == 0) {
      if (json::element tools; json::follow(step, "tool_calls/0", tools)) dispatch(said);
    } else if (source == "agent") {
      add_cut("xtrace.is_compacted", Utterance::Kind::compacted, step, said);
      add_cut("xtrace.is_pruned", Utterance::Kind::pruned, step, said);
      read_answer(step, said);
      if (is_true_of_extra(step, "xtrace.sums_up")) said.form = Utterance::Form::summary;
    }
    add_utterance(said, step, read_atif_said, context_);
    if (json::find(step, "observation", value)) {
      if (!name.empty()) name += "/results";
      read_observation(value, part.field("observation"), shard_.intern(name), said);
    }
  }

  /// The model does not read earlier messages unchanged if `extra` says so: `convert` writes it.
  void add_cut(std::string_view key, Utterance::Kind kind, json::element step,
               const Utterance& said) {
    if (!is_true_of_extra(step, key)) return;
    Utterance cut = said;
    cut.kind = kind;
    cut.request = {};
    if (said.id) cut.id = shard_.intern(fmt::format("{}/{}", shard_[said.id], key));
    shard_.add(cut);
  }

  /// The program asked for tools in a model's place.
  static void dispatch(Utterance& said) {
    said.kind = Utterance::Kind::answered;
    said.form = Utterance::Form::whole;
    said.is_of_client = true;
    said.cost = 0;
    said.outcome = Outcome::ok;
  }

  void read_answer(json::element step, Utterance& said) {
    said.kind = Utterance::Kind::answered;
    said.form = Utterance::Form::whole;
    said.outcome = Outcome::ok;
    read_own_outcome(step, said);
    said.model = shard_.intern(json::text_at(step, "model_name"));
    if (!said.model) said.model = model_;
    json::element metrics;
    if (!json::find(step, "metrics", metrics)) return;
    said.tokens = read_metrics(metrics);
    if (said.tokens != Tokens{} && json::count_on(step, "llm_call_count", 1) > 1)
      said.tokens.most_sent = kSeveralCalls;
    if (json::element extra; json::find(step, "extra", extra)) {
      for (std::string_view key : {"service_tier", "residency"})
        said.tokens.terms.add(
            terms_stated(key, json::text_at(extra, std::string("xtrace.").append(key))));
      for (size_t i = 0; i < kServerTools; ++i)
        if (json::element uses;
            json::find(extra, fmt::format("xtrace.server_tools.{}", kServerToolWords[i + 1]), uses))
          said.tokens.server_tools.counts[i] = static_cast<int32_t>(json::count(uses, -1));
    }
    said.output_is_low = is_true_of_extra(step, "xtrace.output_is_low");
    if (json::element cost; json::find(metrics, "cost_usd", cost)) said.cost = read_dollars(cost);
  }

  /// What `convert` wrote knows how the call ended and how long it took; the format has no words
  /// for that.
  void read_own_outcome(json::element step, Utterance& said) {
    json::element extra;
    if (!json::find(step, "extra", extra)) return;
    std::string_view status = json::text_at(extra, "xtrace.status");
    for (Outcome outcome : {Outcome::error, Outcome::unanswered, Outcome::unrecorded})
      if (status == word(outcome)) said.outcome = outcome;
    if (said.outcome == Outcome::error) said.kind = Utterance::Kind::failed;
    said.error = shard_.intern(json::text_at(extra, "xtrace.error"));
    said.stop_reason = shard_.intern(json::text_at(extra, "xtrace.stop_reason"));
    json::element took;
    if (json::find(extra, "xtrace.duration_ms", took))
      said.took = read_milliseconds(took);
    else if (said.time != kNoTime && !json::text_at(extra, "xtrace.id").empty())
      said.version = Utterance::Version::begun;
  }

  void read_observation(json::element observation, const Part& part, StringId id,
                        const Utterance& said) {
    json::element results;
    Utterance observed = said_;
    observed.source = part.text.empty() ? said.source : part.at;
    // The start of a call does not show when its tools were done.
    observed.time = said.version == Utterance::Version::begun ? kNoTime : said.time;
    observed.decimals = said.decimals;
    observed.kind = Utterance::Kind::asked;
    observed.id = id;
    add_utterance(observed, observation, read_results, context_);
    if (!json::find(observation, "results", results)) return;
    json::items(results, [&](json::element result) { read_subagents(result, observed); });
    if (observed.id) take_back(results, observed);
  }

  /// What follows goes on from before it.
  void take_back(json::element results, Utterance observed) {
    Draft& draft = cleared(context_.draft);
    read_unread(results, draft);
    if (draft.blocks.empty()) return;
    observed.id = shard_.intern(fmt::format("{}/unread", shard_[observed.id]));
    add_utterance(observed, draft, context_);
    Utterance back = said_;
    back.kind = Utterance::Kind::rewound;
    back.source = observed.source;
    back.after = observed.id;
    back.is_chained = true;
    shard_.add(back);
  }

  void read_subagents(json::element result, const Utterance& observed) {
    json::element list;
    if (!json::find(result, "subagent_trajectory_ref", list)) return;
    AgentRelation report = relation_of(observed, AgentRelation::Kind::reported);
    report.tool_use = shard_.intern(json::text_at(result, "source_call_id"));
    auto add = [&](json::element named) {
      report.agent = shard_.intern(name_of_reference(named));
      if (report.agent) shard_.add(report);
    };
    if (json::is_object(list)) add(list);
    json::items(list, add);
  }

  RecordContext& context_;
  Shard& shard_;
  std::string_view name_;
  std::string begin_of_ids_;  ///< the name, short if it is long: each step would copy all of it
  std::map<std::string_view, std::string_view> below_;  ///< names of subagents' trajectories, by id
  StringId model_;
  Utterance said_;  ///< what all of its utterances have in common
};

void read_atif(const RecordMatcher& record, const Part& whole, Utterance&, RecordContext& context) {
  Trajectory trajectory(record, context);
  trajectory.note_project(record, whole.at);
  trajectory.read(record, whole);
}

void read_atif_part(json::element part, Draft& said) {
  json::element results;
  if (json::find(part, "results", results)) return read_results(part, said);
  read_atif_said(part, said);
}

constexpr RecordShape kAtifRecords[] = {
    {.when = "schema_version=ATIF-* steps:array", .read = read_atif, .say = read_atif_part},
};

}  // namespace

extern constinit const Format kAtif = format_of_shapes<kAtifRecords>(
    "atif", "agent trajectories (ATIF 1.0 to 1.7): steps, observations, subagents' trajectories");

}  // namespace xtrace
