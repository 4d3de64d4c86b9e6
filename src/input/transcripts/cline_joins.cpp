#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "facts/rows.h"
#include "input/common/raw_trace.h"
#include "input/transcripts/agent_pass.h"
#include "input/transcripts/cline_shown.h"
#include "input/transcripts/cline_text_tools.h"
#include "input/transcripts/fill_in.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// A tool use that starts agents, and how long it was at work: until its result was there.
struct AgentsStart {
  StringId use;
  Time began = kNoTime, ended = kNoTime;

  bool is_at_work(Time at) const { return began != kNoTime && began <= at && at <= ended; }
};

/// Results stand soon behind their uses.
void end_start(StringId use, Time time, std::vector<AgentsStart>& starts) {
  constexpr size_t kNear = 16;
  for (size_t back = 1; back <= std::min(kNear, starts.size()); ++back)
    if (AgentsStart& start = starts[starts.size() - back]; start.use == use) start.ended = time;
}

std::vector<AgentsStart> starts_of_agents(std::span<const size_t> sent, const RawTrace& trace) {
  std::vector<AgentsStart> starts;
  for (const size_t i : sent) {
    const Utterance& at = trace.utterances[i];
    if (!at.message) continue;
    if (at.kind == Kind::answered) {
      const Time asked = at.took == kNoDuration ? at.time : after(at.time, at.took);
      for (const ToolUse& use : rows_of(trace.tool_uses, at.message))
        if (use.id && trace[use.name] == "use_subagents") starts.push_back({use.id, asked});
    } else if (!starts.empty()) {
      for (const ToolResult& result : rows_of(trace.tool_results, at.message))
        end_start(result.tool_use, at.time == kNoTime ? at.place : at.time, starts);
    }
  }
  return starts;
}

/// Tells reports of Cline's agents, which have no messages of their own, the tool use that started
/// these: the only one at work, asked for and without its result yet, when they were told of.
/// `sent` are utterances, in the order of their file, and `reports` relations of one session.
void name_agents_started(std::span<const size_t> sent, std::span<const size_t> reports,
                         RawTrace& trace) {
  if (reports.empty()) return;
  const std::vector<AgentsStart> starts = starts_of_agents(sent, trace);
  for (const size_t i : reports) {
    AgentRelation& report = trace.relations[i];
    if (report.time == kNoTime || report.tool_use) continue;
    const auto later =
        std::upper_bound(starts.begin(), starts.end(), report.time,
                         [](Time time, const AgentsStart& start) { return time < start.began; });
    if (later == starts.begin() || !(later - 1)->is_at_work(report.time)) continue;
    const bool is_only = later - 1 == starts.begin() || !(later - 2)->is_at_work(report.time);
    if (is_only) report.tool_use = (later - 1)->use;
  }
}

/// A request that was shown, and what followed it.
struct ShownRequest {
  size_t at = 0;
  std::vector<size_t> pieces;    ///< of its answer
  std::vector<size_t> failures;  ///< that notices tell of before any piece
  /// Pieces that ask for commands which put nothing out so far, with names of these.
  std::vector<std::pair<size_t, StringId>> commands;
  bool has_agents = false;   ///< which its answer started
  bool has_failed = false;   ///< it says so itself
  bool is_reported = false;  ///< a notice behind it says so
  bool is_paired = false;
};

/// What is on record of one session.
struct Sides {
  std::vector<ShownRequest> requests;
  std::vector<size_t> asked;         ///< prompts that were shown
  std::vector<size_t> compacted;     ///< that was shown, …
  bool tells_of_compaction = false;  ///< … and that the other side tells of it
  std::vector<size_t> answers;       ///< of the other side
  std::vector<size_t> children;      ///< relations: sessions that it started, in order
  std::vector<StringId> starts;      ///< the tool uses that did, likewise
  std::vector<size_t> shown_starts;  ///< pieces that were shown of such, likewise
  std::vector<size_t> sent;          ///< all of the other side, in order
  std::vector<size_t> reports;       ///< relations: of agents that have no sessions
  std::vector<size_t> sums;          ///< of all requests
};

class ShownJoiner {
 public:
  explicit ShownJoiner(RawTrace& trace) : trace_(trace) {}

  void join() {
    gather();
    for (auto& [session, sides] : sessions_) {
      pair_requests(sides);
      pair_undated(sides);
      name_requests(session, sides);
      drop_told_twice(sides);
      name_starts(sides);
      name_agents_started(sides.sent, sides.reports, trace_);
    }
    drop_needless_names();
  }

 private:
  Utterance& said(size_t i) { return trace_.utterances[i]; }

  /// In a file the pieces follow the request that they answer.
  void gather() {
    uint32_t file = UINT32_MAX;
    bool in_request = false;
    const auto sides_of = [&](const auto& at) -> Sides& {
      if (at.source.file != std::exchange(file, at.source.file)) in_request = false;
      return sessions_[at.session];
    };
    const auto add = [&](Utterance& at) {
      const auto i = static_cast<size_t>(&at - trace_.utterances.data());
      Sides& sides = sides_of(at);
      at.way == Utterance::Way::shown ? add_shown(i, sides, in_request) : add_sent(i, sides);
    };
    for_each_in_order(trace_, add, [&](AgentRelation& relation) {
      const auto i = static_cast<size_t>(&relation - trace_.relations.data());
      Sides& sides = sides_of(relation);
      if (relation.kind == AgentRelation::Kind::listed) sides.children.push_back(i);
      if (relation.kind != AgentRelation::Kind::reported) return;
      sides.reports.push_back(i);
      if (in_request) sides.requests.back().has_agents = true;
    });
  }

  /// What is said before any request is what the user wants; else it is an answer. It is read as
  /// either: the text of an item, and behind it the item.
  bool may_be_answer(size_t i) {
    if (i + 1 == trace_.utterances.size()) return false;
    const Extent &here = said(i).source, &next = said(i + 1).source;
    return here.file == next.file && next.offset <= here.offset &&
           here.offset + here.length <= next.offset + next.length;
  }

  void add_sent(size_t i, Sides& sides) {
    const Utterance& at = said(i);
    if (at.kind == Kind::compacted) sides.tells_of_compaction = true;
    if (!at.in_subagent) sides.sent.push_back(i);
    if (at.kind != Kind::answered || at.in_subagent) return;
    sides.answers.push_back(i);
    if (!at.message) return;
    for (const ToolUse& use : rows_of(trace_.tool_uses, at.message))
      if (use.id && trace_[use.name] == "new_task") sides.starts.push_back(use.id);
  }

  void add_shown(size_t i, Sides& sides, bool& in_request) {
    Utterance& at = said(i);
    if (at.request) {
      sides.requests.push_back({i, {}, {}, {}, false, at.kind == Kind::failed, false, false});
      in_request = true;
    } else if (at.kind == Kind::failed && in_request) {
      ShownRequest& request = sides.requests.back();
      if (request.has_failed && !request.is_reported)
        at.kind = Kind::silent;  // the same failure
      else if (request.pieces.empty() && !request.has_agents)
        request.failures.push_back(i);
      request.is_reported = true;
    } else if (at.kind == Kind::used && at.usage.place == UsageTerms::Place::before) {
      if (in_request) take_count(at, said(sides.requests.back().at));
      at.kind = Kind::silent;
    } else if (at.kind == Kind::asked) {
      if (in_request && is_output(at))
        add_output(at, sides.requests.back());
      else if (is_output(at) || (in_request && may_be_answer(i)))
        at.kind = Kind::silent;
      if (at.kind == Kind::asked) sides.asked.push_back(i);
    } else if (at.kind == Kind::answered) {
      if (in_request)
        add_piece(i, sides);
      else
        at.kind = Kind::silent;
    } else if (at.kind == Kind::used && at.usage.form == UsageTerms::Form::kept) {
      sides.sums.push_back(i);
    } else if (at.kind == Kind::compacted) {
      sides.compacted.push_back(i);
    }
  }

  void add_piece(size_t i, Sides& sides) {
    ShownRequest& request = sides.requests.back();
    request.pieces.push_back(i);
    for (ToolUse& use : rows_to_change(trace_.tool_uses, said(i).message))
      if (use.id) {
        request.commands.emplace_back(i, use.id);
        commands_.emplace(said(i).message, false);
        if (trace_[use.name] == kShownStart) sides.shown_starts.push_back(i);
      }
  }

  /// Names of our own, for which there is no need without an output. Of two copies of a task one
  /// may end before the output that the other one has, and they share their rows.
  void drop_needless_names() {
    for (const auto& [message, has_output] : commands_)
      if (!has_output)
        for (ToolUse& use : rows_to_change(trace_.tool_uses, message)) use.id = {};
  }

  bool is_output(const Utterance& at) const {
    return at.message && !rows_of(trace_.tool_results, at.message).empty();
  }

  /// A command is waited for before the next request is sent. Of several that an answer asks for
  /// before any of them puts something out, nobody knows whose it is; what comes behind the first
  /// output of a command goes on with it.
  void add_output(Utterance& output, ShownRequest& request) {
    if (request.commands.size() != 1) {
      output.kind = Kind::silent;
      return;
    }
    const size_t piece = request.commands.front().first;
    const StringId name = own_name(said(piece), request.commands.front().second);
    commands_[said(piece).message] = true;
    for (ToolUse& use : rows_to_change(trace_.tool_uses, said(piece).message)) use.id = name;
    for (ToolResult& result : rows_to_change(trace_.tool_results, output.message))
      result.tool_use = name;
    request.commands.clear();
  }

  /// Another one if a command of the session that came in the same millisecond has this one.
  StringId own_name(const Utterance& command, StringId name) {
    const auto [known, is_new] =
        own_names_.try_emplace({command.session, name, command.message}, name);
    if (!is_new) return known->second;
    StringId& own = known->second;
    for (int& next = next_names_.try_emplace({command.session, name}, 1).first->second;; ++next) {
      if (next > 1) own = trace_.strings.intern(fmt::format("{}-{}", trace_[name], next));
      const auto [named, is_free] = named_.try_emplace({command.session, own}, command.message);
      if (named->second == command.message) return own;
    }
  }

  static void take_count(const Utterance& count, Utterance& request) {
    if (request.tokens == Tokens{}) request.tokens = count.tokens;
    if (request.cost == kNoCount) request.cost = count.cost;
  }

  /// An answer is written down after it was asked for, and before the next one is.
  void pair_requests(Sides& sides) {
    for (const size_t answer : sides.answers) {
      Utterance& sent = said(answer);
      if (sent.time == kNoTime) continue;
      auto later = std::upper_bound(
          sides.requests.begin(), sides.requests.end(), sent.time,
          [&](Time time, const ShownRequest& request) { return time < said(request.at).time; });
      if (later == sides.requests.begin()) continue;
      ShownRequest& request = *(later - 1);
      if (std::exchange(request.is_paired, true)) continue;
      take(said(request.at), sent);
      const Duration took = elapsed(said(request.at).time, sent.time);
      if (!is_put_off(sides, later - 1) || took < Duration{0}) continue;
      sent.took = took;
      sent.time = said(request.at).time;
    }
  }

  /// Messages without a time are recorded when they were by the requests, where there are as many:
  /// all that used something up, or all of these but what failed. Else nobody knows which is whose,
  /// and the requests tell the calls alone.
  void pair_undated(Sides& sides) {
    const auto is_undated = [&](size_t i) { return said(i).time == kNoTime; };
    if (sides.answers.empty() || sides.requests.empty() ||
        !std::ranges::all_of(sides.answers, is_undated))
      return;
    std::vector<ShownRequest*> spent, answered;
    for (ShownRequest& request : sides.requests) {
      if (said(request.at).tokens == Tokens{} && request.pieces.empty()) continue;
      spent.push_back(&request);
      if (!request.has_failed) answered.push_back(&request);
    }
    const size_t count = sides.answers.size();
    if (spent.size() != count && answered.size() != count) return drop_sent(sides);
    const std::vector<ShownRequest*>& pairs = spent.size() == count ? spent : answered;
    for (size_t k = 0; k < count; ++k) date(said(sides.answers[k]), *pairs[k]);
    place_undated(sides);
  }

  void date(Utterance& sent, ShownRequest& request) {
    const Utterance& shown = said(request.at);
    request.is_paired = true;
    take(shown, sent);
    sent.time = shown.time;
    sent.decimals = shown.decimals;
    for (const size_t failure : request.failures)
      sent.time = std::max(sent.time, said(failure).time);
    Time end = kNoTime;
    for (const size_t piece : request.pieces) end = std::max(end, said(piece).time);
    const Duration took = elapsed(sent.time, end);
    if (!request.pieces.empty() && took >= Duration{0}) sent.took = took;
  }

  /// What is asked precedes its answer.
  void place_undated(const Sides& sides) {
    Time at = kNoTime;
    for (size_t k = sides.sent.size(); k-- > 0;) {
      Utterance& sent = said(sides.sent[k]);
      if (sent.kind == Kind::answered)
        at = sent.time;
      else if (at == kNoTime)
        sent.place = said(sides.answers.back()).time;
      else
        sent.place = at;
    }
  }

  void drop_sent(Sides& sides) {
    trace_.complaints.push_back({said(sides.sent.front()).source,
                                 "messages without times cannot be matched to the recorded "
                                 "requests; only the requests are used as calls",
                                 Complaint::Kind::field});
    for (const size_t i : sides.sent) said(i).kind = Kind::silent;
    sides.answers.clear();
    sides.sent.clear();
    sides.starts.clear();
    sides.tells_of_compaction = false;
  }

  /// Did an attempt fail before? Then its answer was waited for since its own request.
  bool is_put_off(const Sides& sides, std::vector<ShownRequest>::const_iterator request) {
    return request != sides.requests.begin() && said((request - 1)->at).outcome == Outcome::error;
  }

  static void take(const Utterance& request, Utterance& answer) {
    if (request.tokens != Tokens{}) answer.tokens = request.tokens;
    if (request.cost != kNoCount) answer.cost = request.cost;
    if (!answer.model) answer.model = request.model;
    if (!answer.provider) answer.provider = request.provider;
    if (request.outcome != Outcome::error) return;
    answer.outcome = request.outcome;
    answer.error = request.error;
  }

  /// Attempts at a request that got its answer in the end, which follow it: each took from when the
  /// one before had failed.
  void put_failures_first(ShownRequest& request) {
    for (const size_t failure : request.failures) {
      Utterance &attempt = said(failure), &answer = said(request.at);
      const Duration took = elapsed(answer.time, attempt.time);
      if (took < Duration{0}) return;
      attempt.took = took;
      std::swap(attempt.time, answer.time);
      if (!attempt.model) attempt.model = answer.model;
      std::swap(attempt, answer);
      request.at = failure;
    }
  }

  bool is_answered(const ShownRequest& request) {
    const Utterance& at = said(request.at);
    return at.kind == Kind::answered && at.outcome == Outcome::ok &&
           (request.is_paired || at.tokens != Tokens{} || !request.pieces.empty());
  }

  void name_requests(StringId session, Sides& sides) {
    for (ShownRequest& request : sides.requests) {
      if (is_answered(request)) put_failures_first(request);
      Utterance& at = said(request.at);
      const StringId name =
          trace_.strings.intern(fmt::format("{}-{}", trace_[session], trace_[at.request]));
      at.request = {};
      if (request.is_paired) at.kind = Kind::silent;
      for (const size_t piece : request.pieces) {
        said(piece).answer = name;
        if (request.is_paired) said(piece).kind = Kind::silent;
      }
      if (at.kind != Kind::answered) continue;
      at.answer = name;
      if (at.tokens != Tokens{} || !request.pieces.empty()) continue;
      // It goes on, was interrupted, or failed, which is recorded behind it.
      const bool is_last = &request == &sides.requests.back();
      at.kind = is_last || request.is_reported ? Kind::silent : Kind::failed;
      at.error = trace_.strings.intern("aborted");
    }
  }

  void drop_told_twice(Sides& sides) {
    if (!sides.answers.empty())
      for (const size_t i : sides.asked) said(i).kind = Kind::silent;
    if (sides.tells_of_compaction)
      for (const size_t i : sides.compacted) said(i).kind = Kind::silent;
    if (!sides.requests.empty())
      for (const size_t i : sides.sums) said(i).kind = Kind::silent;
  }

  /// Sessions are listed in the order of the tool uses that started them; where there are not as
  /// many, nobody knows which is whose.
  void name_starts(Sides& sides) {
    if (sides.starts.empty() && sides.children.size() == sides.shown_starts.size())
      for (const size_t i : sides.shown_starts) sides.starts.push_back(name_of_start(said(i)));
    if (sides.children.size() != sides.starts.size()) return;
    for (size_t i = 0; i < sides.children.size(); ++i)
      trace_.relations[sides.children[i]].tool_use = sides.starts[i];
  }

  StringId name_of_start(const Utterance& piece) {
    bool& has_name = commands_[piece.message];
    const std::span<ToolUse> uses = rows_to_change(trace_.tool_uses, piece.message);
    if (!std::exchange(has_name, true)) uses.front().id = own_name(piece, uses.front().id);
    return uses.front().id;
  }

  RawTrace& trace_;
  std::map<StringId, Sides> sessions_;
  std::map<MessageId, bool> commands_;                        ///< whether the name is needed
  std::map<std::pair<StringId, StringId>, MessageId> named_;  ///< by session and name
  std::map<std::pair<StringId, StringId>, int> next_names_;   ///< likewise: those before are taken
  std::map<std::tuple<StringId, StringId, MessageId>, StringId> own_names_;
};

/// Joins what the user was shown of a session (Utterance::Way) with what was sent to the model, if
/// that is recorded next to it: the usage of each request goes to its answer, and what both state
/// counts once. If nothing else is on record, what was shown makes the calls.
void join_sides(RawTrace& trace) {
  pair_text_tools(trace);
  const auto is_shown = [](const Utterance& said) { return said.way == Utterance::Way::shown; };
  const auto is_open = [](const AgentRelation& of) {
    return of.kind == AgentRelation::Kind::listed ||
           (of.kind == AgentRelation::Kind::reported && !of.tool_use);
  };
  if (std::ranges::any_of(trace.utterances, is_shown) ||
      std::ranges::any_of(trace.relations, is_open))
    ShownJoiner(trace).join();
}

}  // namespace

extern constinit const AgentPass kClineSides = {AgentPass::When::after_copies, join_sides};

}  // namespace xtrace
