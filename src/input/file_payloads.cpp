#include "input/file_payloads.h"

#include "input/excerpt.h"

namespace xtrace {

namespace {

class FilePayloads final : public Payloads {
 public:
  explicit FilePayloads(const Trace& trace) : trace_(trace), excerpts_(trace) {}
  Excerpt read(const Call& call) const override { return excerpts_.of(call); }
  std::vector<Quote> quotes(const Call& call) const override { return excerpts_.quotes(call); }
  std::vector<Quote> quotes(const Span& span) const override { return excerpts_.quotes(span); }
  Instructions instructions(const Call& call) const override {
    return excerpts_.instructions(call);
  }
  StepRecord step(const Span& span) const override { return excerpts_.step(span); }
  Appraisal appraisal(const Span& span) const override { return excerpts_.appraisal(span); }
  std::vector<std::string> changed() const override {
    std::vector<std::string> paths;
    for (uint32_t source : excerpts_.changed()) paths.push_back(trace_.sources[source].path);
    return paths;
  }

 private:
  const Trace& trace_;
  mutable Excerpts excerpts_;  // holds what parsing needs, and nothing that an answer depends on
};

}  // namespace

std::unique_ptr<const Payloads> file_payloads(const Trace& trace) {
  return std::make_unique<FilePayloads>(trace);
}

}  // namespace xtrace
