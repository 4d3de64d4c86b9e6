#pragma once

#include "input/excerpt.h"
#include "view/common/view.h"
#include "view/eval/quotes.h"

namespace xtrace {

/// Lets a view, which knows no files, go back to records.
class FilePayloads final : public Payloads, public Quotes, public Appraisals {
 public:
  explicit FilePayloads(const Trace& trace) : excerpts_(trace) {}
  Of read(const Event& event) const override {
    Excerpt excerpt = excerpts_.of(event);
    return {std::move(excerpt.prompt), std::move(excerpt.answer), std::move(excerpt.error)};
  }
  std::vector<Piece> pieces(const Event& event) const override {
    std::vector<Piece> pieces;
    for (Quote& quote : excerpts_.quotes(event))
      pieces.push_back({static_cast<Piece::Kind>(quote.kind), quote.is_answer,
                        std::move(quote.tool_use), std::move(quote.text)});
    return pieces;
  }
  StepRecord step(const Span& span) const override { return excerpts_.step(span); }
  Appraisal appraisal(const Span& span) const override { return excerpts_.appraisal(span); }

 private:
  mutable Excerpts excerpts_;
};

}  // namespace xtrace
