#pragma once

#include "input/excerpt.h"
#include "view/view.h"

namespace xtrace {

/// Lets a view, which knows no files, go back to records.
class FilePayloads final : public Payloads {
 public:
  explicit FilePayloads(const Trace& trace) : excerpts_(trace) {}
  Of read(const Event& event) const override {
    Excerpt excerpt = excerpts_.of(event);
    return {std::move(excerpt.prompt), std::move(excerpt.answer), std::move(excerpt.error)};
  }
  StepRecord step(const Span& span) const override { return excerpts_.step(span); }

 private:
  mutable Excerpts excerpts_;
};

}  // namespace xtrace
