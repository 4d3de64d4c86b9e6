#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/string_pool.h"
#include "base/time.h"
#include "doc/document.h"
#include "render/chart/listed_nodes.h"
#include "render/chart/passages.h"

namespace xtrace {

/// The sum, or the most there is: logs may claim fortunes, which ends no program.
inline int64_t sum_of(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/// An answer as a picture over time shows it: marks for its nodes, arrows for its edges, lanes for
/// who was at work. Made of the tables of the answer, by the roles of their columns, so that a
/// picture shows what JSON contains and nothing else.
struct Chart {
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr int64_t kUnknown = INT64_MIN;

  /// What was done between a mark and the one before it, as an answer says (`waited_for`).
  enum class Wait : uint8_t { none, person, tool, permission, retry, unexplained, background };

  /// Of an answer that compares two: the new one alone, or the older behind it.
  enum class Runs : uint8_t { new_one, old_one, both };

  /// kUnknown of what is unknown; the most there is of what is more.
  static int64_t nanoseconds_of(int64_t us, int16_t finer_ns) {
    int64_t ns = 0;
    if (us == kUnknown) return kUnknown;
    if (__builtin_mul_overflow(us, int64_t{1000}, &ns) || __builtin_add_overflow(ns, finer_ns, &ns))
      return us < 0 ? -INT64_MAX : INT64_MAX;
    return ns;
  }

  struct Tool {
    StringId name, target;
    int64_t permission_us = 0;  ///< waited for a person behind the call, before it ran
    int64_t duration_us = kUnknown;
    int16_t finer_ns = 0;  ///< to be added to its duration
    bool is_error = false;
    StringId error;  ///< what it reported, else the kind of its error

    int64_t duration_ns() const { return nanoseconds_of(duration_us, finer_ns); }
  };
  /// What many marks have in common, kept once.
  struct Nature {
    StringId kind, status, model;
    StringId error;           ///< its class, of what failed
    StringId source, target;  ///< of a hop, the actors at its ends
    StringId file;            ///< of a place in the input; all of it where it is not understood
    auto operator<=>(const Nature&) const = default;
  };
  /// What is looked at once and often unknown: kept packed, as most of a mark it would be.
  struct Figures {
    int64_t waited_us = kUnknown;
    int64_t cost_nusd = kUnknown;    ///< billionths of a dollar
    int64_t in_all_nusd = kUnknown;  ///< with all that it spawned
    int64_t turn = kUnknown;
    int64_t input = kUnknown, cached = kUnknown, cache_written = kUnknown, output = kUnknown;
    int64_t total = kUnknown;  ///< all tokens
    int64_t place = kUnknown;  ///< in its file: line, or offset
    bool has_offset = false;   ///< its place is an offset, not a line
    Wait waited_for = Wait::none;

    /// Tokens that were sent, cached ones included.
    int64_t sent() const {
      int64_t sum = kUnknown;
      for (int64_t part : {input, cached, cache_written})
        if (part != kUnknown) sum = sum == kUnknown ? part : sum_of(sum, part);
      return sum;
    }
  };
  /// A page holds one for each node: what is added here is added a million times.
  struct Mark {
    int64_t start_us = kUnknown;     ///< since 1970; what is finer is cut off
    int64_t duration_us = kUnknown;  ///< may be negative, as logs are
    StringId id, agent, agent_type, session, name;
    uint32_t rest = 0;        ///< where its nature and figures begin
    uint32_t parent = kNone;  ///< the mark above it, which precedes it
    uint32_t lane = 0;
    uint32_t first_tool = 0, tools = 0;
    int16_t finer_ns = 0;  ///< to be added to its duration
    uint8_t row = 0;       ///< in its lane
    bool failed : 1 = false;
    bool critical : 1 = false;  ///< on the path that took longest
    bool output_is_low : 1 = false;
    bool is_retry : 1 = false;
    bool tool_failed : 1 = false;
    bool is_old : 1 = false;             ///< of the older of two runs
    bool is_unpriced_below : 1 = false;  ///< some of what it spawned has no price, or a part of it
    bool cost_is_partial : 1 = false;    ///< it cost more than is known

    bool is_timed() const { return start_us != kUnknown; }
    int64_t duration_ns() const { return nanoseconds_of(duration_us, finer_ns); }
    /// As far as it is drawn: what is unknown or ends before it starts has no length.
    int64_t end_us() const { return start_us + (duration_us > 0 ? duration_us : 0); }
  };
  struct Rival {
    StringId id;
    uint32_t mark = kNone;  ///< kNone: a filter hides it
    int64_t confidence = 0;
  };
  /// What many arrows have in common, kept once.
  struct Link {
    StringId type, method;
    int64_t confidence = 10000;  ///< of 10,000
    int64_t times = 1;
    uint32_t rivals = 0;
    bool is_error = false;
    auto operator<=>(const Link&) const = default;
  };
  struct Arrow {
    uint32_t from = 0, to = 0;  ///< marks
    StringId evidence;
    uint32_t link = 0;
    uint32_t first_rival = 0;
  };
  /// One agent, tool or service at work.
  struct Lane {
    StringId agent, type, session;
    uint32_t above = kNone;  ///< the lane that started it, before it
    uint32_t rows = 1;       ///< side by side, where its marks overlap
    bool is_old = false;     ///< of the older of two runs
  };

  /// What went from the results of one tool into another (`tool_flows` of an answer).
  struct Flow {
    StringId from, to;  ///< `to` nowhere: into a reply
    int64_t results = 0, tokens = 0, bytes = 0;
    bool is_estimated = false;  ///< some of the tokens are
  };

  StringPool texts;
  std::vector<Mark> marks;    ///< in pre-order: each precedes those below it
  std::vector<Tool> tools;    ///< in the order of the marks
  std::vector<Arrow> arrows;  ///< by the mark they lead to, then by that from which they come
  std::vector<Rival> rivals;
  std::vector<Lane> lanes;  ///< from top to bottom
  // Of each mark, until they are in order, and only where an answer knows conversations:
  std::vector<uint32_t> previous;    ///< the one before it in its conversation, or kNone
  std::vector<uint32_t> begins;      ///< the first of its conversation, where that is gathered
  std::vector<std::string> details;  ///< of each mark, what it has no field for, as JSON; or empty
  /// Of each mark with details, in one line each: what it was asked, and what it said and gave to
  /// tools.
  std::vector<StringId> asked, said;
  /// By the ids of marks with details, what was said, of so many calls as are read without scripts.
  std::map<StringId, std::vector<Passage>> passages;

  std::vector<Nature> natures;
  std::vector<Link> links;
  std::vector<Flow> flows;
  std::map<StringId, std::string> colours;  ///< by agent type, `#RRGGBB`: those that the log gives

  std::string_view text(StringId id) const { return texts[id]; }
  /// Is it recorded? A subagent known only from its report represents calls that are not.
  bool is_recorded(const Mark& mark) const { return text(nature(mark).status) != "not_recorded"; }
  const Nature& nature(const Mark& mark) const;
  const Link& link(const Arrow& arrow) const { return links[arrow.link]; }
  Figures figures(const Mark& mark) const;
  /// Keeps what `mark` has: a nature, by its place among `natures`, and figures.
  void keep(uint32_t nature, const Figures& figures, Mark& mark);
  /// The tools that failed, each with what it reported: `Bash failed: exit code 2`.
  std::string tool_errors(const Mark& mark) const;
  /// Did it cost more than is known?
  bool costs_more(const Mark& mark) const;
  /// What it did, in one line: the tools it asked for, else its name, else that it failed or
  /// replied, as the script of a page has it (data.js, labelOf).
  std::string label(const Mark& mark) const;
  /// `file:line` or `file@offset`.
  std::string place(const Mark& mark) const;
  /// From the first start to the last end; 0, 0 where nothing has a time.
  std::pair<int64_t, int64_t> span() const;

 private:
  std::string rests_;
};

static_assert(sizeof(Chart::Mark) == 64 && sizeof(Chart::Arrow) == 20);

/// Microseconds as a length of time, or the longest there is: logs may claim centuries.
inline Duration duration_of(int64_t us) {
  constexpr int64_t kMost = INT64_MAX / 1000;
  return std::chrono::microseconds(std::clamp(us, -kMost, kMost));
}

/// Reads the nodes and edges of an answer, both of which may be missing; `only` those nodes, if it
/// names any.
Chart read_chart(const Document& document, Chart::Runs runs = Chart::Runs::new_one,
                 const ListedNodes& only = {});

// In this order:

/// Puts all calls of a conversation below the call that began it: an answer names that of the first
/// alone.
void gather_conversations(Chart& chart);
/// Is it known who that is?
bool names_actor(const Chart& chart, StringId actor);
/// Names hops by who called whom, where that is known: their own names are often all the same, as
/// `call`.
void name_hops(Chart& chart);
/// Puts marks below their parents, those of one parent in order of time, and the older of two runs
/// behind the new one; arrows follow. Conversations that are gathered stay together.
void order_marks(Chart& chart);
/// Gives each mark a lane, and a row in it.
void lay_lanes(Chart& chart);

/// For each mark, how many it is with all below it, once they are in order.
std::vector<uint32_t> with_all_below(const Chart& chart);

}  // namespace xtrace
