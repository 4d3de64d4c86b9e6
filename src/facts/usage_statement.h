#pragma once

#include <cstdint>
#include <string_view>

#include "facts/call.h"

namespace xtrace {

/// What a log states that more than one call used up together: the end of a turn or a run, a record
/// of counts next to the session. A call's own counts are in Call and GenAi; what a statement has
/// beyond the calls that it covers is concluded in link/ledger, never shared out here. A record
/// (equal `source`) has a row for each model that it names; one without a model has the money of
/// all of them together.
struct UsageStatement {
  enum class Scope : uint8_t { turn, agent, session };
  /// How the record counts. Running totals of one stream are taken apart while records are settled:
  /// each that counts covers what came since the one before it.
  enum class Form : uint8_t {
    piece,    ///< what was used since the statement before it
    running,  ///< everything since the stream began
    total,    ///< everything, stated once at the end
    rest,     ///< calls without a record: what a statement had beyond the calls that it covers
  };
  /// Why the ledger does not ask it.
  enum class SetAside : uint8_t {
    no,
    superseded,  ///< a later running total of its stream includes it
    repeated,    ///< an equal record states the same
  };
  Extent source;
  /// It covers calls of its session behind this record; without a length: from the beginning.
  Extent since;
  StringId session;
  StringId agent;  ///< whose calls it covers; nowhere: of scope agent the main agent's, else those
                   ///< of the whole session, subagents included
  StringId model;  ///< nowhere: of several, or not stated
  Tokens tokens;
  int64_t cost = kNoCount;     ///< in billionths of a dollar
  int64_t credits = kNoCount;  ///< in billionths of a credit of the agent's vendor, if no price of
                               ///< one is public
  int64_t calls = kNoCount;    ///< how many calls it counts
  Time time = kNoTime;         ///< when the record was written, as far as it is dated
  Scope scope = Scope::session;
  Form form = Form::total;
  SetAside set_aside = SetAside::no;
  // Of a rest, as UnplacedUsage (link/ledger/ledger.h) had it:
  int64_t uncharged = 0, settles_unpriced = 0, settles_partly = 0, settles_low = 0;
  bool is_unpriced = false, cost_is_partial = false, cost_is_computed = false;

  bool counts() const { return set_aside == SetAside::no; }
};
inline constexpr std::string_view kStatementScopeWords[] = {"turn", "agent", "session"};
inline constexpr std::string_view kStatementFormWords[] = {"piece", "running_total", "total",
                                                           "rest"};
inline constexpr std::string_view kSetAsideWords[] = {"", "superseded", "repeated"};

}  // namespace xtrace
