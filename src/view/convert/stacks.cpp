#include <algorithm>
#include <map>
#include <set>

#include "link/activities/own_time.h"
#include "view/calls/unplaced.h"
#include "view/common/field.h"
#include "view/common/words.h"
#include "view/convert/convert.h"
#include "view/hops/hop_words.h"

namespace xtrace {

namespace {

/// The figures are those of the last frame alone. What is absent is not known; what costs nothing
/// and takes no time is 0.
struct StackRow {
  const Texts* frames;
  Cell cost, time;
  int64_t tokens;
};
constexpr Field<StackRow> kStacks[] = {
    {{"frames", "frames, outermost first", CellKind::texts, true}, member<&StackRow::frames>},
    {{"cost", "billionths of a dollar", CellKind::integer, false, {}, Role::cost},
     member<&StackRow::cost>},
    {{"time", "nanoseconds", CellKind::integer}, member<&StackRow::time>},
    {{"tokens", "", Role::tokens}, member<&StackRow::tokens>},
};

void write_stack(const StackRow& row, const Stream::Write& write) {
  Table stack = table_of<kStacks>({});
  add_fields(kStacks, row, stack);
  write(stack.cells);
}

/// Deeper than anybody looks. What is below counts with the last frame that is shown, so that a log
/// of endless recursion does not become one of endless lines.
constexpr size_t kMostFrames = 256;

/// Frames from the innermost.
Texts turned(Texts frames) {
  std::reverse(frames.begin(), frames.end());
  return frames;
}

int64_t nanoseconds(Duration took) {
  return std::max<int64_t>(took.count(), 0);
}

Cell time_of(Duration took) {
  return took == kNoDuration ? Cell() : Cell(nanoseconds(took));
}

Cell cost_of(const Usage& used) {
  return used.unpriced > 0 ? Cell() : Cell(at_least_none(used.cost));
}

using Stretch = std::pair<Time, Time>;  ///< from, to

/// Stretches of time, made of those that may overlap.
class Stretches {
 public:
  explicit Stretches(std::vector<Stretch> some) {
    std::sort(some.begin(), some.end());
    for (const auto& [from, to] : some) {
      if (to <= from) continue;
      if (all_.empty() || all_.back().second < from)
        all_.emplace_back(from, to);
      else
        all_.back().second = std::max(all_.back().second, to);
    }
    for (const auto& [from, to] : all_) sums_.push_back(sums_.back() + length(from, to));
  }

  /// How much of the time between two they take.
  Duration between(Time from, Time to) const {
    if (to <= from) return Duration{0};
    return Duration(std::min<uint64_t>(before(to) - before(from), Duration::max().count()));
  }

 private:
  /// In nanoseconds. Centuries may not fit, but what is left of them by a difference does: these
  /// numbers wrap.
  static uint64_t length(Time from, Time to) {
    return static_cast<uint64_t>(to.time_since_epoch().count()) -
           static_cast<uint64_t>(from.time_since_epoch().count());
  }

  /// How much of the time before `end` they take.
  uint64_t before(Time end) const {
    const auto next = std::ranges::upper_bound(all_, end, {}, &Stretch::first);
    const size_t begun = static_cast<size_t>(next - all_.begin());
    if (begun == 0) return 0;
    const Time last = all_[begun - 1].second;
    return sums_[begun] - (last > end ? length(end, last) : 0);
  }

  std::vector<Stretch> all_;       ///< in order, none touches another
  std::vector<uint64_t> sums_{0};  ///< of those before each, and of all
};

class CallStacks {
 public:
  explicit CallStacks(const CallScene& scene) : scene_(scene) {
    for (uint32_t i : scene.selection.links) {
      const Link& link = scene.links()[i];
      if (link.kind != LinkKind::subagent_spawn) continue;
      const uint32_t of = scene.graph.conversation_of(link.to).number;
      spawner_.emplace(of, scene.graph.conversation_of(link.from).number);
      agent_.emplace(of, link.to);
      if (link.tool_use) started_[link.tool_use.index].insert(of);
    }
  }

  void write(const Stream::Write& write) {
    for (CallId id : scene_.timeline().in_order()) {
      if (!scene_.selection.shows(id)) continue;
      Door::At at(scene_.question.door, scene_.names.place(id));
      const Texts agents = agents_above(id);
      add(agents, scene_.graph.activities().of(id), scene_.spending.own(id), write);
      for (const Activity& tool : scene_.graph.activities().tools_of(id)) add(agents, tool, write);
      arena_.clear();
    }
    for (const UnplacedRow& row : scene_.spending.unplaced())
      if (!is_of_uncovered_run(row.usage, scene_.graph)) add(row.usage, write);  // spans write it
  }

 private:
  /// What totals of a session have beyond its calls took no time of its own.
  void add(const UnplacedUsage& usage, const Stream::Write& write) {
    Door::At at(scene_.question.door, scene_.names.place(usage.at));
    const bool is_known = usage.session > 0;
    const Text session = is_known ? scene_.names.session(scene_.graph.sessions()[usage.session - 1])
                                  : scene_.names.text(usage.session_id);
    const int64_t cost = std::max<int64_t>(usage.charged(), 0);
    write_stack({.frames = arena_.keep(Texts{session, Text("(in no call)")}),
                 .cost = usage.is_unpriced ? Cell() : Cell(cost),
                 .time = int64_t{0},
                 .tokens = at_least_none(total_of(usage.tokens))},
                write);
    arena_.clear();
  }

  /// The session, who was spawned by whom, and at last who made the call: by types, as equal frames
  /// are one in a flame graph.
  Texts agents_above(CallId id) {
    Texts frames;
    uint32_t number = scene_.graph.conversation_of(id).number;
    agent_.emplace(number, id);
    std::vector<uint32_t> seen;
    for (CallId call = id; frames.size() + 3 < kMostFrames;) {
      frames.push_back(scene_.names.text(scene_.graph.agent_of(call).type));
      seen.push_back(number);
      const auto spawner = spawner_.find(number);
      if (spawner == spawner_.end() ||
          std::find(seen.begin(), seen.end(), spawner->second) != seen.end())
        break;
      number = spawner->second;
      const auto known = agent_.find(number);
      if (known == agent_.end()) break;
      call = known->second;
    }
    frames.push_back(scene_.names.session(scene_.graph.session_of(id)));
    return turned(std::move(frames));
  }

  void add(Texts frames, const Activity& call, const Usage& used, const Stream::Write& write) {
    const Text model = scene_.names.text(call.model);
    frames.push_back(model.empty() ? Text("unknown model") : model);
    write_stack({.frames = arena_.keep(std::move(frames)),
                 .cost = cost_of(used),
                 .time = time_of(time_of_call(call)),
                 .tokens = at_least_none(total_of(used.tokens))},
                write);
  }

  /// Tools have frames of their own, also those that ran before the answer was written down.
  Duration time_of_call(const Activity& call) const {
    const bool is_dated = call.start != kNoTime && call.duration > Duration{0};
    return is_dated ? time_of_model(scene_.graph, call.call) : call.duration;
  }

  void add(Texts frames, const Activity& tool, const Stream::Write& write) {
    const Text name = scene_.names.text(tool.tool);
    frames.push_back(name.empty() ? Text("unknown tool") : name);
    write_stack({.frames = arena_.keep(std::move(frames)),
                 .cost = int64_t{0},
                 .time = time_of(own_time(tool)),
                 .tokens = 0},
                write);
  }

  /// Of a tool that started subagents, what none of their calls and tools takes, which have frames
  /// of their own.
  Duration own_time(const Activity& tool) {
    const auto started = started_.find(scene_.timeline().id_of(*tool.use).index);
    const Duration took = tool.duration;
    if (started == started_.end() || tool.start == kNoTime || took <= Duration{0}) return took;
    // The log may have measured it without the wait before it.
    Time end = tool.end();
    if (tool.ran.until != kNoDuration)
      end = std::max(end, after(scene_.timeline()[tool.call].end(), tool.ran.until));
    else if (tool.reader)
      end = std::max(end, scene_.timeline()[tool.reader].start);
    return std::max(took - taken_by(started->second).between(tool.start, end), Duration{0});
  }

  /// When calls and tools of these conversations ran. Many tools may have a part in the same one.
  const Stretches& taken_by(const std::set<uint32_t>& conversations) {
    if (auto known = taken_.find(conversations); known != taken_.end()) return known->second;
    std::vector<Stretch> some;
    for (uint32_t number : conversations)
      for (CallId id : scene_.graph.conversations()[number - 1].calls)
        if (scene_.selection.shows(id)) add_stretches(id, some);
    return taken_.emplace(conversations, Stretches(std::move(some))).first->second;
  }

  void add_stretches(CallId id, std::vector<Stretch>& out) const {
    auto add = [&](const Activity& done) {
      if (done.start != kNoTime && done.duration > Duration{0})
        out.emplace_back(done.start, done.end());
    };
    add(scene_.graph.activities().of(id));
    for (const Activity& tool : scene_.graph.activities().tools_of(id)) add(tool);
  }

  const CallScene& scene_;
  CellArena arena_;
  std::map<uint32_t, uint32_t> spawner_;            ///< by conversation, by their numbers
  std::map<uint32_t, CallId> agent_;                ///< by conversation, a call of it
  std::map<uint32_t, std::set<uint32_t>> started_;  ///< by tool use, numbers of conversations
  std::map<std::set<uint32_t>, Stretches> taken_;   ///< by conversations
};

class HopStacks {
 public:
  explicit HopStacks(const HopScene& scene)
      : scene_(scene), below_(scene.hops.all.size()), place_(below_.size()) {
    for (const Run& run : scene.hops.runs)
      for (HopId id : run.hops)
        if (HopId cause = cause_of(id)) below_[cause.index].push_back(id);
  }

  void write(const Stream::Write& write) {
    for (const Run& run : scene_.hops.runs)
      for (HopId id : run.hops) {
        if (!scene_.selection.shows(id)) continue;
        Door::At at(scene_.question.door, scene_.names.place(scene_.hops[id].at));
        const Usage used = usage_at(scene_, id);
        write_stack({.frames = arena_.keep(frames(id)),
                     .cost = cost_of(used),
                     .time = own_time(id),
                     .tokens = at_least_none(total_of(used.tokens))},
                    write);
        arena_.clear();
      }
  }

 private:
  HopId cause_of(HopId id) const {
    const Hop& hop = scene_.hops[id];
    const bool is_shown =
        hop.cause && scene_.selection.shows_cause_of(id) && scene_.hops[hop.cause].run == hop.run;
    return is_shown ? hop.cause : HopId();
  }

  Texts frames(HopId id) {
    Texts frames;
    for (HopId at = innermost_shown(id); at; at = place_[at.index].above)
      frames.push_back(name(at));
    frames.push_back(scene_.names.text(scene_.hops.runs[scene_.hops[id].run].id));
    return turned(std::move(frames));
  }

  /// Itself, or if it is too deep, the last of those above it that is not. Each is visited once, as
  /// one below another a hundred thousand times would else take as many steps each.
  HopId innermost_shown(HopId id) {
    std::vector<HopId> way;
    HopId at = id;
    for (; at && place_[at.index].depth == 0; at = cause_of(at)) {
      place_[at.index].depth = kOnTheWay;
      way.push_back(at);
    }
    if (at && place_[at.index].depth == kOnTheWay) at = {};  // a circle, which begins here
    for (; !way.empty(); way.pop_back()) {
      Place& place = place_[way.back().index];
      place.depth = 1;
      if (at) place = {place_[at.index].shown, at, place_[at.index].depth + 1};
      if (place.depth < kMostFrames) place.shown = way.back();
      at = way.back();
    }
    return place_[id.index].shown;
  }

  Text name(HopId id) const {
    const Hop& hop = scene_.hops[id];
    const Text target = scene_.actor(hop.to);
    return target.empty() ? scene_.names.text(scene_.span(hop).operation) : target;
  }

  /// Without what was done for it meanwhile.
  Cell own_time(HopId id) const {
    const Hop& hop = scene_.hops[id];
    if (hop.duration == kNoDuration) return {};
    if (hop.start == kNoTime) return nanoseconds(hop.duration);
    const Time end = after(hop.start, std::max(hop.duration, Duration{0}));
    std::vector<Stretch> taken;
    for (HopId other : below_[id.index]) {
      const Hop& inner = scene_.hops[other];
      if (inner.start == kNoTime || inner.duration == kNoDuration) continue;
      taken.emplace_back(inner.start, after(inner.start, inner.duration));
    }
    return nanoseconds(end - hop.start - Stretches(std::move(taken)).between(hop.start, end));
  }

  struct Place {
    HopId shown;  ///< the innermost frame
    HopId above;
    size_t depth = 0;  ///< from 1; 0: not known yet
  };
  static constexpr size_t kOnTheWay = SIZE_MAX;  ///< to where that is known
  const HopScene& scene_;
  CellArena arena_;
  std::vector<std::vector<HopId>> below_;  ///< by hop, what it caused
  std::vector<Place> place_;               ///< by hop
};

}  // namespace

Stream stacks_of(std::shared_ptr<const CallScene> calls, std::shared_ptr<const HopScene> spans) {
  return {{},
          columns_of<kStacks>(),
          [calls = std::move(calls), spans = std::move(spans)](const Stream::Write& write) {
            if (calls != nullptr) CallStacks(*calls).write(write);
            if (spans != nullptr) HopStacks(*spans).write(write);
          }};
}

}  // namespace xtrace
