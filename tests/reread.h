#pragma once

#include "facts/payloads.h"
#include "input/excerpt.h"

namespace xtrace {

/// Goes back to records as the program does.
class Reread final : public Payloads {
 public:
  explicit Reread(const Trace& trace) : excerpts_(trace) {}
  Excerpt read(const Call& call) const override { return excerpts_.of(call); }
  std::vector<Quote> quotes(const Call& call) const override { return excerpts_.quotes(call); }
  Instructions instructions(const Call& call) const override {
    return excerpts_.instructions(call);
  }
  StepRecord step(const Span& span) const override { return excerpts_.step(span); }
  Appraisal appraisal(const Span& span) const override { return excerpts_.appraisal(span); }

 private:
  mutable Excerpts excerpts_;
};

}  // namespace xtrace
