#include "view/calls/call_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "link/graph/queries.h"
#include "view/calls/branches.h"
#include "view/calls/call_fields.h"
#include "view/calls/call_words.h"
#include "view/calls/costs.h"
#include "view/calls/fold.h"
#include "view/calls/groups.h"
#include "view/calls/tree_frame.h"
#include "view/common/short_names.h"
#include "view/common/use_words.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

class Tree {
 public:
  Tree(const CallScene& scene, bool unfold)
      : scene_(scene),
        branches_(scene),
        errors_(scene.question, scene.names),
        fold_(scene, unfold ? Folding::none : Folding::by_length),
        drawn_(scene.graph.conversations().size()) {
    std::vector<std::string_view> paths;
    for (const Source& source : scene.graph.trace().sources)
      paths.push_back(scene.names.text(source.path).view());
    files_ = short_files(paths);
    tells_files_ = std::ranges::any_of(scene.graph.trace().calls, [&](const Call& call) {
      return call.source.file != scene.graph.trace().calls.front().source.file;
    });
    for (uint32_t i : scene.selection.links) {
      const Link& link = scene.links()[i];
      if (link.kind == LinkKind::subagent_spawn)
        spawned_.insert(scene.graph.conversation_of(link.to).number);
    }
    for (const Conversation& conversation : scene.graph.conversations())
      for (size_t i = 1; i < conversation.calls.size(); ++i)
        if (scene.graph.agent_index_of(conversation.calls[i]) !=
            scene.graph.agent_index_of(conversation.calls[i - 1]))
          took_over_.insert(conversation.calls[i].index);
  }

  Outline draw() {
    outline_.columns = {{"start", false, false, 4},
                        {"what", false, true},
                        {"model", false, false, 1},
                        {"in", Role::input, 2},
                        {"out", Role::output, 3},
                        {"cost", Role::cost},
                        {"total", Role::cost, 5},
                        {"took", Role::duration},
                        {"", false},
                        {"line", true}};
    outline_.head = head_lines(scene_);
    for (const Session& session : scene_.graph.sessions()) add_session(session);
    add_foot(scene_, folded_, outline_);
    outline_.legends.push_back({"total", "cost including subagents"});
    return std::move(outline_);
  }

 private:
  std::vector<CallId> shown(std::span<const CallId> calls) const {
    return scene_.selection.shown(calls);
  }

  Sum sum_of(std::span<const CallId> calls) const { return xtrace::sum_of(scene_, calls); }

  Text composed(std::string text) const { return scene_.question.door.composed(std::move(text)); }

  void add(uint32_t depth, Tone tone, Time start, Text what, Text model, const Sum& sum,
           const Usage& in_all, Duration took, std::string note, Text line) {
    Cell when = start == kNoTime ? Cell() : Cell(Moment{start, 0});
    outline_.lines.push_back(
        {depth,
         tone,
         {when, what, known(model), known(tokens_sent(sum.usage.tokens)),
          known(sum.usage.tokens.output), cost_cell(sum.usage), cost_in_all(sum.usage, in_all),
          known(took), known(composed(std::move(note))), known(line)}});
  }

  Usage in_all(std::span<const CallId> calls) const { return scene_.spending.in_all(calls); }

  /// Said only where it is more than the calls of the line.
  Cell cost_in_all(const Usage& own, const Usage& in_all) {
    if (in_all.cost == own.cost && in_all.unpriced == own.unpriced) return {};
    return cost_cell(in_all);
  }

  void add_session(const Session& session) {
    std::vector<CallId> calls = shown(session.calls);
    if (calls.empty()) return;
    Sum sum = sum_of(calls);
    std::string date =
        sum.time.start == kNoTime ? "" : " " + scene_.question.door.zone().day(sum.time.start);
    std::string note = sum.errors > 0 ? fmt::format("{} failed", sum.errors) : "";
    file_ = file_of(calls);
    add(0, Tone::heading, sum.time.start,
        scene_.question.door.say("session {}  {}", words_of(session, date),
                                 plural(sum.calls, "call")),
        {}, sum, sum.usage, sum.took(), std::move(note), {});
    // A title can be told by its first words, a place by all of it alone.
    if (tells_files_) yield_quoted(outline_.lines.back(), kWhat, std::string::npos, kTitleAtLeast);
    // The conversations nobody spawned; those somebody did stand below that call.
    std::vector<uint32_t> roots;
    std::unordered_set<uint32_t> seen;
    for (CallId id : calls) {
      uint32_t number = scene_.graph.conversation_of(id).number;
      if (!spawned_.contains(number) && seen.insert(number).second) roots.push_back(number);
    }
    add_roots(roots);
    // A resumed agent may have been spawned by what it spawned itself; nothing is left out.
    for (CallId id : calls)
      if (const Conversation& conversation = scene_.graph.conversation_of(id);
          !drawn_[conversation.number - 1])
        add_agent(1, conversation, nullptr);
  }

  /// What its log calls it, as far as that may be seen, when and where it was held. By its title
  /// people know it, which comes first, as what comes last may be cut.
  std::string words_of(const Session& session, std::string_view date) const {
    constexpr size_t kLongest = 60;
    const Text project = scene_.names.project(session);
    const Text title =
        scene_.question.door.first_words(scene_.graph.trace()[session.title], kLongest);
    std::string words(scene_.names.session(session).view()), file;
    if (tells_files_) {
      const Text path = scene_.names.text(scene_.graph.trace().sources[file_].path);
      const std::string_view name = path.view().substr(path.view().rfind('/') + 1);
      if (!words.empty() && name.starts_with(words + '.'))
        words = name;
      else
        file = "  " + files_[file_];
    }
    if (!title.empty())
      words = fmt::format("“{}”{}  {}", title.view(), date, words);
    else
      words += date;
    words += file;
    return project.empty() ? words : fmt::format("{}  {}", words, project.view());
  }

  /// Of a session, the file of those that nobody spawned.
  uint32_t file_of(const std::vector<CallId>& calls) const {
    std::vector<CallId> own;
    for (CallId id : calls)
      if (!spawned_.contains(scene_.graph.conversation_of(id).number)) own.push_back(id);
    return most_in(own.empty() ? calls : own);
  }
  /// The file that most of these stand in: what they are part of names it, they their lines.
  uint32_t most_in(std::span<const CallId> calls) const {
    std::map<uint32_t, size_t> counts;
    uint32_t most = scene_.timeline()[calls.front()].source.file;
    for (CallId id : calls) {
      const uint32_t file = scene_.timeline()[id].source.file;
      if (++counts[file] > counts[most]) most = file;
    }
    return most;
  }

  /// Single calls of one type (titles, quota checks) stand in one line where there are many calls.
  void add_roots(const std::vector<uint32_t>& roots) {
    std::map<std::string_view, std::vector<CallId>> single = fold_.singles(roots);
    std::set<std::string_view> folded;
    for (uint32_t number : roots) {
      const Conversation& conversation = scene_.graph.conversations()[number - 1];
      std::string_view type = scene_.graph.agents()[conversation.agent].type;
      std::map<std::string_view, std::vector<CallId>>::const_iterator alike = single.find(type);
      bool folds = alike != single.end() && shown(conversation.calls).size() == 1;
      if (!folds || !fold_.is_routine(conversation.calls.front()))
        add_agent(1, conversation, nullptr);
      else if (folded.insert(type).second)
        add_singles(type, alike->second);
      if (folds) drawn_[number - 1] = true;
    }
  }

  void add_singles(std::string_view type, const std::vector<CallId>& calls) {
    Sum sum = sum_of(calls);
    add(1, Tone::quiet, sum.time.start,
        scene_.question.door.say("⋯ {}  {}", scene_.names.text(type).view(),
                                 plural(sum.calls, "single call")),
        short_model(scene_, calls.front()), sum, sum.usage, time_of(calls), {}, {});
    folded_ += sum.calls;
  }

  Duration time_of(std::span<const CallId> calls) const {
    Duration total{0};
    for (CallId id : calls)
      if (Duration took = scene_.timeline()[id].duration; took != kNoDuration)
        total = plus(total, took);
    return total;
  }

  void add_agent(uint32_t depth, const Conversation& conversation, const Link* spawn) {
    if (drawn_[conversation.number - 1]) return;
    drawn_[conversation.number - 1] = true;
    std::vector<CallId> calls = shown(conversation.calls);
    if (calls.empty()) return;
    std::string note;
    if (spawn != nullptr && is_guess(spawn->rule))
      note = fmt::format("heuristic, {:.2f}", confidence(*spawn));
    const Agent& agent = scene_.graph.agents()[conversation.agent];
    Text name = scene_.names.agent(agent);
    const uint32_t file_outside = file_;
    file_ = most_in(calls);
    if (file_ != file_outside) name = scene_.question.door.say("{} {}", name.view(), files_[file_]);
    add_agent(depth, conversation, spawn, calls, name, std::move(note));
    file_ = file_outside;
  }

  void add_agent(uint32_t depth, const Conversation& conversation, const Link* spawn,
                 const std::vector<CallId>& calls, Text name, std::string note) {
    Sum sum = sum_of(calls);
    Text model = short_model(scene_, calls.front());
    if (calls.size() == 1) {  // its one call tells everything
      add_call(depth, calls.front(), {}, spawn,
               fmt::format("{}{}  ", name.view(), begins_with(calls.front())), note);
      return add_spawned(depth + 1, calls.front());
    }
    if (spawn != nullptr && fold_.takes_agent(calls))
      return add_folded_agent(depth, name, model, calls, std::move(note));
    // Turns tell for themselves how they begin.
    const bool has_turns = count_turns(conversation) > 1;
    const std::string begins = has_turns ? "" : begins_with(calls.front());
    add(depth, spawn != nullptr ? Tone::spawn : Tone::agent, sum.time.start,
        scene_.question.door.say("{}{}  {}", name.view(), begins, plural(sum.calls, "call")), model,
        sum, in_all(calls), sum.took(), std::move(note), {});
    if (has_turns)
      add_turns(depth + 1, calls, model);
    else
      add_calls(depth + 1, calls, model);
  }

  void add_folded_agent(uint32_t depth, Text name, Text model, const std::vector<CallId>& calls,
                        std::string note) {
    Sum sum = sum_of(calls);
    if (sum.errors > 0) note = join_notes(std::move(note), fmt::format("{} failed", sum.errors));
    int64_t tool_errors = 0;
    for (CallId id : calls) tool_errors += scene_.graph.activities().failed_tools_of(id);
    if (tool_errors > 0) note = join_notes(std::move(note), plural(tool_errors, "tool error"));
    add(depth, Tone::spawn, sum.time.start,
        scene_.question.door.say("⋯ {}  {}  {}", name.view(), plural(sum.calls, "call"),
                                 count_tools(scene_, calls)),
        model, sum, in_all(calls), sum.took(), std::move(note), {});
    folded_ += sum.calls;
  }

  /// Numbers the turns of all its conversation, so that a filter changes no number.
  uint32_t count_turns(const Conversation& conversation) {
    const std::vector<uint32_t> turns = number_turns(scene_.graph, conversation);
    for (size_t i = 0; i < turns.size(); ++i) turn_of_[conversation.calls[i].index] = turns[i];
    return turns.back();
  }

  void add_turns(uint32_t depth, std::span<const CallId> calls, Text model) {
    while (!calls.empty()) {
      uint32_t turn = turn_of_[calls.front().index];
      size_t count = 1;
      while (count < calls.size() && turn_of_[calls[count].index] == turn) ++count;
      std::span<const CallId> own = calls.first(count);
      calls = calls.subspan(count);
      std::string title =
          fmt::format("turn {}{}  ", turn,
                      scene_.question.shows_payload() ? quoted(own.front(), &Excerpt::prompt)
                                                      : begins_with(own.front()));
      if (own.size() == 1 && !fold_.spawns(own.front())) {
        add_call(depth, own.front(), model, nullptr, title, went_back(own.front()));
        continue;
      }
      Sum sum = sum_of(own);
      add(depth, Tone::plain, sum.time.start, composed(title + plural(sum.calls, "call")), {}, sum,
          in_all(own), sum.took(), went_back(own.front()), {});
      add_calls(depth + 1, own, model, own.front());
    }
  }

  /// Where a branch begins: what it goes back to.
  std::string went_back(CallId id) const {
    const CallId from = branches_.left_by(id);
    if (!from) return {};
    auto turn = turn_of_.find(from.index);
    return turn != turn_of_.end() ? fmt::format("rewound to turn {}", turn->second)
                                  : fmt::format("rewound to line {}", place(from).view());
  }

  /// How a turn or an agent begins, in quotes, as far as that may be seen; else nothing.
  std::string begins_with(CallId id) const {
    constexpr size_t kLongest = 60;
    Door& door = scene_.question.door;
    // Behind the first call of a turn or an agent, what was said last is a tool's result.
    const bool is_first = scene_.graph.conversation_of(id).calls.front() == id;
    if (!is_first && cause_in_turn(scene_.graph, id) != nullptr) return {};
    if (!door.shows_first_words() || scene_.question.payloads == nullptr) return {};
    Door::At at(door, scene_.names.place(id));
    Text words =
        door.first_words(scene_.question.payloads->read(scene_.timeline()[id]).prompt, kLongest);
    return words.empty() ? "" : fmt::format(" “{}”", words.view());
  }

  /// What was said, at level full: in quotes, for the end of a line; else nothing.
  std::string quoted(CallId id, std::string Excerpt::*text) const {
    if (!scene_.question.shows_payload()) return {};
    Door::At at(scene_.question.door, scene_.names.place(id));
    Text shown =
        scene_.question.door.payload(scene_.question.payloads->read(scene_.timeline()[id]).*text);
    return shown.empty() ? "" : fmt::format(" “{}”", fold_white_space(shown.view()));
  }

  /// `told`: the line above says already where it went back to.
  void add_calls(uint32_t depth, std::span<const CallId> calls, Text model, CallId told = {}) {
    for (size_t i = 0; i < calls.size();) {
      if (size_t run = fold_.run(calls.subspan(i)); run > 0) {
        add_fold(depth, calls.subspan(i, run));
        i += run;
        continue;
      }
      add_call(depth, calls[i], model, nullptr, {}, calls[i] == told ? "" : went_back(calls[i]));
      add_spawned(depth + 1, calls[i]);
      ++i;
    }
  }

  void add_fold(uint32_t depth, std::span<const CallId> calls) {
    Sum sum = sum_of(calls);
    std::string tools = count_tools(scene_, calls);
    add(depth, Tone::quiet, sum.time.start,
        scene_.question.door.say("⋯ {}  {}", plural(sum.calls, "call"), tools), {}, sum,
        in_all(calls), sum.took(), {}, {});
    folded_ += sum.calls;
  }

  void add_call(uint32_t depth, CallId id, Text usual_model, const Link* spawn,
                const std::string& prefix, std::string note) {
    const Call& call = scene_.timeline()[id];
    Door::At at(scene_.question.door, scene_.names.place(call.source));
    Sum sum = sum_of(std::span(&id, 1));
    Text model = short_model(scene_, id);
    if (model == usual_model) model = {};
    Tone tone = fold_.failed(id) ? Tone::error : spawn != nullptr ? Tone::spawn : Tone::plain;
    add(depth, tone, call.start,
        composed(prefix + who_took_over(id) + std::string(what_it_did(scene_, id).view()) +
                 command_of(id) + quoted(id, &Excerpt::answer)),
        model, sum, in_all(std::span(&id, 1)), call.duration,
        join_notes(std::move(note), remarks(scene_, id)), place(id));
    // What it was told may be cut, never that it failed.
    if (tone == Tone::error || !call.answer)
      yield_quoted(outline_.lines.back(), kWhat, prefix.size());
    add_uses(depth + 1, id);
  }

  /// The agent, where it is not that of the call before in the conversation.
  std::string who_took_over(CallId id) const {
    if (!took_over_.contains(id.index)) return {};
    return fmt::format("{}  ", scene_.names.agent(scene_.graph.agent_of(id)).view());
  }

  /// What the tools were given, and what those that failed reported, as far as it may be seen. A
  /// command that its call's line shows is not repeated.
  void add_uses(uint32_t depth, CallId id) {
    if (!shows_words()) return;
    const std::vector<const ToolUse*> uses = scene_.graph.tool_uses_of(id);
    const bool is_in_line = uses.size() == 1 && !scene_.question.shows_payload();
    Excerpt said;
    if (!uses.empty() && !is_in_line) said = scene_.question.payloads->read(scene_.timeline()[id]);
    for (size_t nth = 0; nth < uses.size(); ++nth) {
      const std::string tool(scene_.names.text(uses[nth]->name).view());
      const Text given = is_in_line ? Text() : words_of(said, *uses[nth], nth);
      if (!given.empty())
        outline_.lines.push_back(
            {depth, Tone::quiet, {Cell(), composed(tool + ' ' + fold_white_space(given.view()))}});
      const Text error = errors_.of(id, *uses[nth], kWords);
      if (error.empty()) continue;
      const bool is_named = is_in_line || !given.empty();
      outline_.lines.push_back({depth + !given.empty(),
                                Tone::error,
                                {Cell(), composed((is_named ? "" : tool + ' ') +
                                                  "failed: " + fold_white_space(error.view()))}});
    }
  }

  bool shows_words() const {
    return scene_.question.payloads != nullptr && scene_.question.door.shows_first_words();
  }

  Text words_of(const Excerpt& said, const ToolUse& use, size_t nth) const {
    return words_of_use(
        scene_.question.door,
        std::string(arguments_of(said.tool_arguments, scene_.graph.trace()[use.id], nth)), kWords);
  }

  /// `  $ go test ./…`, where the call asks for nothing else; full answers have it in its own line.
  std::string command_of(CallId id) const {
    const std::vector<const ToolUse*> uses = scene_.graph.tool_uses_of(id);
    if (!shows_words() || scene_.question.shows_payload() || uses.size() != 1) return {};
    const Text command = words_of_use(scene_.question.door,
                                      read_arguments(scene_.question, id, *uses.front()), kWords);
    return command.empty() ? "" : fmt::format("  {}", command.view());
  }

  Text place(CallId id) const {
    const Extent& at = scene_.timeline()[id].source;
    if (at.line == 0) return scene_.names.at(at);
    if (at.file == file_) return scene_.question.door.say("{}", at.line);
    return scene_.question.door.say("{}:{}", files_[at.file], at.line);
  }

  void add_spawned(uint32_t depth, CallId id) {
    for (uint32_t i : scene_.graph.effects_of(id)) {
      const Link& link = scene_.links()[i];
      if (link.kind != LinkKind::subagent_spawn || !scene_.selection.shows(link.to)) continue;
      const Conversation& conversation = scene_.graph.conversation_of(link.to);
      if (!drawn_[conversation.number - 1]) {
        add_agent(depth, conversation, &link);
        continue;
      }
      add(depth, Tone::spawn, scene_.timeline()[link.to].start,
          scene_.question.door.say("{}  resumed; see line {}",
                                   scene_.names.agent(scene_.graph.agent_of(link.to)).view(),
                                   place(link.to).view()),
          {}, {}, {}, kNoDuration, {}, {});
    }
  }

  static constexpr size_t kWhat = 1;  ///< the column of the tree
  static constexpr size_t kTitleAtLeast = 7;
  static constexpr size_t kWords = 100;  ///< bytes of a command or an error

  const CallScene& scene_;
  std::vector<std::string> files_;  ///< what each source is called
  bool tells_files_ = false;        ///< where only one holds calls, that is named above
  uint32_t file_ = 0;               ///< the one that lines are of where none is named
  Branches branches_;
  ErrorWords errors_;
  Fold fold_;
  Outline outline_;
  int64_t folded_ = 0;
  std::set<uint32_t> spawned_;    ///< conversations that a shown link spawns
  std::set<uint32_t> took_over_;  ///< calls of another agent than the one before them
  std::vector<bool> drawn_;
  std::unordered_map<uint32_t, uint32_t> turn_of_;  ///< by call, of conversations that are drawn
};

}  // namespace

Outline call_tree(const CallScene& scene, bool unfold) {
  return Tree(scene, unfold).draw();
}

}  // namespace xtrace
