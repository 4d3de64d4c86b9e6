#include "input/transcripts/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "base/hex.h"
#include "facts/made_id.h"
#include "facts/rows.h"
#include "input/common/format.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/transcript_calls.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Makes the facts.
class CallWriter {
 public:
  CallWriter(RawTrace& trace, const std::vector<Thread>& threads)
      : trace_(trace), threads_(threads) {}

  void write(const std::vector<TranscriptCall>& transcript_calls) {
    std::vector<Call> calls;
    calls.reserve(transcript_calls.size());
    trace_.calls.reserve(trace_.calls.size() + transcript_calls.size());
    for (const TranscriptCall& transcript_call : transcript_calls) {
      bool goes_on =
          transcript_call.previous != TranscriptCall::kNone && !transcript_call.is_compacted;
      calls.push_back(written(transcript_call,
                              goes_on ? end_of(calls[transcript_call.previous]) : MessageId{}));
    }
    // Events are in the order of their files.
    std::vector<uint32_t> order(transcript_calls.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Extent &x = said(transcript_calls[a].first).source,
                   &y = said(transcript_calls[b].first).source;
      return std::pair(x.file, x.offset) < std::pair(y.file, y.offset);
    });
    std::vector<CallId> ids(transcript_calls.size());
    for (uint32_t i : order) {
      place(transcript_calls[i], calls[i]);
      ids[i] = add(calls[i]);
    }
    for (size_t i = 0; i < transcript_calls.size(); ++i)
      if (uint32_t previous = transcript_calls[i].previous; previous != TranscriptCall::kNone)
        trace_.calls[ids[i].index].previous = ids[previous];
  }

  void write(const AgentRelation& report, StringId id) {
    Call call;
    call.source = report.source;
    call.start = report.time;
    if (report.took != kNoDuration && report.time != kNoTime) {
      call.start = after(report.time, -report.took);
      call.duration = report.took;
    }
    call.decimals = report.decimals;
    // Where it is told what the whole run cost, it represents its calls and is in every sum.
    const bool has_failed = report.outcome == Outcome::error;
    call.outcome = report.cost == kNoCount ? Outcome::unrecorded
                   : has_failed            ? Outcome::error
                                           : Outcome::ok;
    if (call.outcome == Outcome::error) call.error = report.error;
    call.id = id;
    call.digest = hash_of(trace_[id]);
    call.in_transcript = call.in_subagent = true;
    call.session = report.session;
    call.agent = report.agent;
    call.agent_type = report.agent_type;
    call.spawned_by = report.tool_use;
    call.tokens = report.tokens;
    call.cost = report.cost;
    add(call);
  }

 private:
  const Utterance& said(uint32_t i) const { return trace_.utterances[i]; }

  /// The last message of a call, its answer if there is one.
  static MessageId end_of(const Call& call) { return call.answer ? call.answer : call.request; }

  CallId add(const Call& call) {
    trace_.calls.push_back(call);
    return CallId(trace_.calls.size() - 1);
  }

  Call written(const TranscriptCall& transcript_call, MessageId before) {
    Call call;
    MessageId request = before;
    call.first_place = static_cast<uint32_t>(trace_.places.size());
    for (uint32_t i : transcript_call.asked) {
      if (said(i).message) {
        request = message(request, {&said(i).message, 1}, trace_[said(i).message].role);
        date_results({&i, 1}, request);
      }
      trace_.places.push_back({said(i).source, said(i).sizes});
    }
    call.model = transcript_call.model;
    std::vector<MessageId> pieces;
    std::unordered_set<uint32_t> said_once;
    for (uint32_t i : transcript_call.answered) {
      const Utterance& piece = said(i);
      auto take = [](StringId& known, StringId told) { known = told ? told : known; };
      take(call.model, piece.model);
      take(call.provider, piece.provider);
      take(call.stop_reason, piece.stop_reason);
      take(call.error, piece.error);
      take(call.skill, piece.skill);
      const bool is_worse = piece.output_is_low && piece.tokens.output < call.tokens.output;
      if (piece.tokens != Tokens{} && !is_worse) {
        call.tokens = piece.tokens;
        call.output_is_low = piece.output_is_low;
      }
      if (piece.cost != kNoCount) call.cost = piece.cost;
      if (piece.context_limit != kNoCount) call.context_limit = piece.context_limit;
      // What ended it shows its words again, unless nothing else did.
      const bool is_closing = piece.kind == Kind::closing && i == transcript_call.first;
      if (piece.kind != Kind::answered && !is_closing) continue;
      if (piece.message && (said_once.insert(piece.message.index).second || is_item(piece)))
        pieces.push_back(piece.message);
      trace_.places.push_back({piece.source, piece.sizes});
    }
    count_server_tools(pieces, call.tokens);
    call.places = static_cast<uint32_t>(trace_.places.size()) - call.first_place;
    call.request = request;
    call.message_count = request ? trace_[request].depth : 0;
    if (!pieces.empty()) call.answer = message(request, pieces, Message::Role::assistant);
    if (call.answer && !(transcript_call.unread.empty() && transcript_call.aborted.empty()))
      add_unread(transcript_call, call.answer);
    if (transcript_call.failed) {  // and may have been paid for all the same
      const Utterance& attempt = said(transcript_call.first);
      call.error = attempt.error;
      call.tokens = attempt.tokens;
      call.cost = attempt.cost;
    }
    if (transcript_call.failed || transcript_call.answered.empty())
      call.model = said(transcript_call.first).model;
    if (transcript_call.answered.empty() && !transcript_call.failed)
      call.provider = said(transcript_call.first).provider;
    call.system_prompt = said(transcript_call.first).system_prompt;
    call.task_step = said(transcript_call.first).task_step;
    const Thread& thread = threads_[transcript_call.thread];
    call.asked_model = call.model;
    call.session = thread.session;
    call.agent = thread.agent;
    call.agent_type = thread.agent_type;
    call.rivals = said(transcript_call.first).rivals;
    call.in_transcript = true;
    call.in_subagent = thread.is_subagent;
    call.is_compacted = transcript_call.is_compacted;
    call.is_pruned = transcript_call.is_pruned;
    call.sums_up = transcript_call.sums_up;
    if (transcript_call.previous == TranscriptCall::kNone) call.spawned_by = thread.tool_use;
    return call;
  }

  /// Counts the vendor's tools by what the answer contains where no count of the vendor has them.
  void count_server_tools(std::span<const MessageId> pieces, Tokens& tokens) const {
    ServerToolUses uses;
    for (const MessageId piece : pieces)
      for (const ToolUse& use : rows_of(trace_.tool_uses, piece))
        if (use.server_tool != ServerTool::none)
          uses[use.server_tool] = std::max(uses[use.server_tool], 0) + 1;
    if (tokens != Tokens{}) tokens.server_tools.fill_in(uses);
  }

  /// Some clients write a piece of an answer again. A tool that the log gives no id is named by
  /// what it did: where nothing else names the piece, an equal one shows that it was done again.
  bool is_item(const Utterance& piece) const {
    const std::span<const ToolUse> uses = rows_of(trace_.tool_uses, piece.message);
    return !piece.answer && !piece.id && uses.size() == 1 && is_named_by_item(uses.front());
  }

  bool is_named_by_item(const ToolUse& use) const {
    std::string_view id = trace_[use.id];
    const std::string_view name = trace_[use.name];
    if (!use.id || !id.starts_with(name)) return false;
    id.remove_prefix(name.size());
    return id.size() == 9 && id.front() == '-' &&
           id.find_first_not_of("0123456789abcdef", 1) == id.npos;
  }

  /// A message that no call is asked with, behind the answer: how the tools fared.
  void add_unread(const TranscriptCall& transcript_call, MessageId answer) {
    std::vector<MessageId> pieces;
    for (uint32_t i : transcript_call.unread) pieces.push_back(said(i).message);
    const size_t known = trace_.messages.size();
    const MessageId whole = message(answer, pieces, Message::Role::user);
    date_results(transcript_call.unread, whole);
    if (trace_.messages.size() == known) return;
    for (StringId use : transcript_call.aborted) {
      ToolResult stopped;
      stopped.message = whole;
      stopped.tool_use = use;
      stopped.is_error = true;
      stopped.error = ToolError::cancelled;
      trace_.tool_results.push_back(stopped);
    }
  }

  /// Each result was there when its own record was written; the request had to wait for the last.
  /// `whole` is the message of these pieces, whose results are in it one after the other.
  void date_results(std::span<const uint32_t> pieces, MessageId whole) {
    const std::span<ToolResult> made = rows_to_change(trace_.tool_results, whole);
    size_t at = 0;
    for (uint32_t i : pieces) {
      const size_t end = at + rows_of(trace_.tool_results, said(i).message).size();
      for (; at < std::min(end, made.size()); ++at)
        if (made[at].came == kNoTime) made[at].came = said(i).time;
    }
  }

  bool says_something(MessageId answer) const {
    return answer && (trace_[answer].said != 0 || !rows_of(trace_.tool_uses, answer).empty() ||
                      !rows_of(trace_.tool_results, answer).empty());
  }

  /// When it was, where it is, and by which name.
  void place(const TranscriptCall& transcript_call, Call& call) {
    const Utterance& first = said(transcript_call.first);
    call.source = first.source;
    call.start = transcript_call.asked_at != kNoTime ? transcript_call.asked_at : first.time;
    call.duration = elapsed(call.start, transcript_call.until);
    if (call.duration != kNoDuration && call.duration < Duration{0}) {
      call.start = first.time;  // what was asked is dated later than the answer
      call.duration = elapsed(call.start, transcript_call.until);
    }
    if (transcript_call.asked_at == kNoTime && is_whole(first)) call.duration = kNoDuration;
    if (first.took != kNoDuration && first.time != kNoTime) {
      call.start = first.time;
      call.duration = first.took;
    } else if (first.version == Utterance::Version::begun && !first.item) {
      call.start = first.time;
      call.duration = kNoDuration;
    } else if (is_whole(first) && first.outcome == Outcome::unanswered) {
      call.duration = kNoDuration;  // nobody knows how long an answer was waited for
    }
    // What was asked may be dated in more digits than the answer.
    call.decimals = decimals_of(call.start, first.decimals);
    // What passed until then is what a user, or attempts that failed, took.
    bool is_of_client =
        !transcript_call.answered.empty() &&
        std::all_of(transcript_call.answered.begin(), transcript_call.answered.end(),
                    [&](uint32_t piece) { return said(piece).is_of_client; });
    if (is_of_client) call.duration = kNoDuration;
    call.is_dispatch = is_of_client && first.outcome == Outcome::ok && call.answer &&
                       !rows_of(trace_.tool_uses, call.answer).empty();
    call.outcome = transcript_call.failed             ? Outcome::error
                   : transcript_call.answered.empty() ? Outcome::unanswered
                                                      : first.outcome;
    // A summary, advice and what a run prints at its end state themselves that all went well.
    const bool is_stated = call.sums_up || is_aside(first) || (is_whole(first) && is_echo(first));
    if (call.outcome == Outcome::ok && !is_stated && !is_of_client &&
        !is_answer(says_something(call.answer), call.tokens, trace_[call.stop_reason]))
      call.outcome = Outcome::unanswered;
    call.digest = chain(first.source.offset, first.source.file);
    call.id = first.request ? first.request : first.answer ? first.answer : first.id;
    // Named by when it was and how far the conversation had come, the same way wherever its file
    // stands; not by what it says: that has other hashes in parts that were made with a key.
    if (!call.id) {
      uint64_t time = static_cast<uint64_t>(call.start.time_since_epoch().count());
      uint64_t thread = chain(hash_of(trace_[call.session]), hash_of(trace_[call.agent]));
      uint64_t name = chain(time, chain(call.message_count, thread));
      if (call.sums_up)
        name = chain(name, 1);  // what goes on with the summary may begin as it ends
      call.id = trace_.strings.intern(std::string(kMadeCall) + hex(name).substr(0, 12));
    }
  }

  /// The message that says these pieces after `before`: a known one or a new one.
  MessageId message(MessageId before, std::span<const MessageId> pieces, Message::Role role) {
    uint64_t key = chain(before ? trace_[before].key : 0, static_cast<uint64_t>(role) + 1);
    for (MessageId piece : pieces) key = chain(key, trace_[piece].key);
    auto [known, is_new] = by_key_.emplace(key, MessageId(trace_.messages.size()));
    MessageId id = known->second;
    if (!is_new) return id;
    Message whole{before, before ? trace_[before].depth + 1 : 1, key, role};
    for (MessageId piece : pieces)
      if (whole.said == 0) whole.said = trace_[piece].said;
    trace_.messages.push_back(whole);
    for (MessageId piece : pieces) {
      uint32_t uses = static_cast<uint32_t>(rows_of(trace_.tool_uses, id).size());
      size_t arguments = trace_.arguments.size(), targets = trace_.tool_targets.size();
      copy_rows(trace_.tool_uses, piece, id);
      copy_rows(trace_.tool_targets, piece, id);
      copy_rows(trace_.tool_results, piece, id);
      copy_rows(trace_.background_ends, piece, id);
      copy_rows(trace_.prompts, piece, id);
      copy_rows(trace_.message_texts, piece, id);
      copy_rows(trace_.arguments, piece, id);
      // Behind those of the pieces before this one.
      for (; arguments < trace_.arguments.size(); ++arguments)
        trace_.arguments[arguments].use += uses;
      for (; targets < trace_.tool_targets.size(); ++targets)
        trace_.tool_targets[targets].use += uses;
    }
    return id;
  }

  template <class Row>
  static void copy_rows(std::vector<Row>& rows, MessageId from, MessageId to) {
    std::span<const Row> found = rows_of(rows, from);
    size_t first = static_cast<size_t>(found.data() - rows.data()), count = found.size();
    for (size_t i = first; i < first + count; ++i) {
      Row row = rows[i];
      row.message = to;
      rows.push_back(row);
    }
  }

  RawTrace& trace_;
  const std::vector<Thread>& threads_;
  std::unordered_map<uint64_t, MessageId> by_key_;  ///< of the messages made here
};

/// Which subagents have utterances of their own.
class RecordedSubagents {
 public:
  RecordedSubagents(const RawTrace& trace, const std::vector<Thread>& threads) {
    for (const Thread& thread : threads) {
      if (!thread.is_subagent) continue;
      known_.insert({thread.session, thread.agent});
      known_.insert({thread.session, thread.tool_use});
      known_.insert({thread.session, thread.prompt});
      const Utterance& first = trace.utterances[thread.said.front()];
      if (first.message)
        for (const Prompt& prompt : rows_of(trace.prompts, first.message))
          if (!prompt.is_beginning) known_.insert({thread.session, prompt.hash});
      if (!thread.agent && !thread.tool_use && !thread.prompt) unnamed_.insert(thread.session);
    }
  }

  bool has(const AgentRelation& report) const {
    for (StringId id : {report.agent, report.tool_use, report.prompt})
      if (id && known_.contains({report.session, id})) return true;
    return !report.agent && !report.prompt && unnamed_.contains(report.session);
  }

 private:
  std::set<std::pair<StringId, StringId>> known_;  ///< in a session: agent, tool use or prompt
  std::set<StringId> unnamed_;                     ///< sessions with subagents that nothing names
};

}  // namespace

void assemble_calls(RawTrace& trace) {
  if (trace.utterances.empty()) return;
  Threads threads = find_threads(trace);
  CallWriter writing(trace, threads.all);
  writing.write(find_transcript_calls(trace, threads));
  RecordedSubagents recorded(trace, threads.all);
  std::set<std::pair<StringId, StringId>> told;
  for (const AgentRelation& report : trace.relations) {
    if (report.kind != AgentRelation::Kind::reported || recorded.has(report)) continue;
    StringId named = report.agent ? report.agent : report.tool_use;
    if (!named || !told.insert({report.session, named}).second) continue;
    writing.write(report, trace.strings.intern(
                              fmt::format("agent-{}{}", report.agent ? "" : "of-", trace[named])));
  }
  trace.utterances = {};
}

void drop_ambiguous_lines(RawTrace& trace) {
  const auto is_ambiguous = [](const Utterance& said) { return said.is_ambiguous; };
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(), is_ambiguous)) return;
  std::vector<bool> is_transcript(trace.sources.size(), false);
  const auto is_unambiguous = [](const Utterance& said) {
    const bool is_of_journal = said.kind == Utterance::Kind::silent && said.agent;
    return is_printed(said) || said.kind == Utterance::Kind::heading || is_of_journal;
  };
  for (const Utterance& said : trace.utterances)
    if (!said.is_ambiguous && is_unambiguous(said)) is_transcript[said.source.file] = true;
  const Extent* last = nullptr;
  for (const Utterance& said : trace.utterances) {
    if (!said.is_ambiguous || is_transcript[said.source.file]) continue;
    const bool is_same_record =
        last != nullptr && last->file == said.source.file && last->offset == said.source.offset;
    last = &said.source;
    if (is_same_record) continue;
    Source& source = trace.sources[said.source.file];
    --source.records;
    ++source.skipped;
    if (source.records == 0) source.format = {};
    trace.complaints.push_back(
        {said.source, "an object of unknown shape", Complaint::Kind::unknown_record});
  }
  std::erase_if(trace.utterances, [&](const Utterance& said) {
    return said.is_ambiguous && !is_transcript[said.source.file];
  });
}

void settle_formats(RawTrace& trace) {
  std::vector<bool> begins_with_heading(trace.sources.size()), is_settled(trace.sources.size());
  for (const Utterance& said : trace.utterances) {
    const uint32_t file = said.source.file;
    if (is_settled[file]) continue;
    if (said.kind == Utterance::Kind::heading) {
      begins_with_heading[file] = true;
      continue;
    }
    is_settled[file] = true;
    if (const Format* format = format_at(said.source); format && begins_with_heading[file])
      trace.sources[file].format = format->name;
  }
}

}  // namespace xtrace
