#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "input/growing/record_ids.h"
#include "live/graph_rows.h"

namespace xtrace {

/// Shares records out into parts that have nothing to do with one another, as far as ids tell: when
/// a record comes, only the graph of its part can change.
class Parts {
 public:
  struct Part {
    std::vector<RecordAt> records;
    size_t told = 0;        ///< so many of them, the first, are in what was shown last
    size_t thoughts = 0;    ///< records of what a model thought
    size_t call_spans = 0;  ///< records of spans that promise such
    bool is_known = true;   ///< is this the graph of those, by a hash of each row?
    std::unordered_map<std::string, uint64_t> nodes;
    std::map<Ends, uint64_t> edges;
    std::map<std::string, uint64_t> summaries;
  };

  /// Adds a record; the parts that it joins become one.
  void add(const RecordAt& record, const RecordIds& ids);
  /// Takes out the records of a generation; note_all_shown() must follow.
  void take_out(uint32_t generation);

  /// Parts that records came to since the last time.
  std::vector<Part*> touched();
  /// All are, as if records had come to each.
  void touch_all();
  bool any_touched() const { return !touched_.empty(); }
  /// All that is there was shown, in whatever way: no part is touched, and no graph of a part is
  /// known.
  void note_all_shown();
  bool has_thoughts_beside(const Part& part) const { return thoughts_ > part.thoughts; }
  bool has_call_spans_beside(const Part& part) const { return call_spans_ > part.call_spans; }
  size_t size() const;

 private:
  uint32_t find(uint32_t part);
  uint32_t join(uint32_t a, uint32_t b);

  std::vector<Part> parts_;
  std::vector<uint32_t> parent_;                    ///< of parts that became one
  std::unordered_map<uint64_t, uint32_t> part_of_;  ///< by id
  std::set<uint32_t> touched_;
  size_t thoughts_ = 0, call_spans_ = 0;
};

}  // namespace xtrace
