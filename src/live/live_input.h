#pragma once

#include <cstdint>
#include <vector>

#include "input/growing/growing.h"
#include "live/missed.h"
#include "run/request.h"

namespace xtrace {

/// Logs that grow. Each record is read once, to learn what it belongs to.
class LiveInput {
 public:
  /// `request` must live as long.
  explicit LiveInput(const Request& request)
      : request_(request),
        growing_(request.inputs, request.awake_since),
        records_(request.loading) {}

  struct Came {
    std::vector<uint32_t> over;     ///< generations whose records count no more
    std::vector<Arrival> arrivals;  ///< in the order of the inputs
    bool any = false, is_damaged = false;
    bool is_used = false;  ///< there was a record of a known shape
  };
  /// Reads the records of what grew; prints notes and complaints, unless the request is quiet.
  Result<Came> take_in(Growth growth);

  GrowingInputs& growing() { return growing_; }
  const GrowingInputs& growing() const { return growing_; }
  const Generations& generations() const { return growing_.generations(); }

 private:
  const Request& request_;
  GrowingInputs growing_;
  Records records_;
};

}  // namespace xtrace
