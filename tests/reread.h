#pragma once

#include "input/excerpt.h"
#include "view/common/view.h"

namespace xtrace {

/// Goes back to records as the program does.
class Reread final : public Payloads {
 public:
  explicit Reread(const Trace& trace) : excerpts_(trace) {}
  Of read(const Event& event) const override {
    Excerpt excerpt = excerpts_.of(event);
    return {excerpt.prompt, excerpt.answer, excerpt.error};
  }
  StepRecord step(const Span& span) const override { return excerpts_.step(span); }

 private:
  mutable Excerpts excerpts_;
};

}  // namespace xtrace
