#include "input/file_payloads.h"

#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "facts/histories.h"
#include "input/excerpt.h"

namespace xtrace {

namespace {

/// Each question has an `Excerpts` to itself, of which there are as many as threads that ask. They
/// hold what parsing needs, and nothing that an answer depends on.
class FilePayloads final : public Payloads, public Histories {
 public:
  explicit FilePayloads(const Trace& trace) : trace_(trace) {}
  Excerpt read(const Call& call) const override { return Asked(*this)->of(call); }
  std::vector<Quote> quotes(const Call& call) const override { return Asked(*this)->quotes(call); }
  std::vector<Quote> history(const Call& call) const override {
    return Asked(*this)->history(call);
  }
  std::vector<Quote> quotes(const Span& span) const override { return Asked(*this)->quotes(span); }
  Instructions instructions(const Call& call) const override {
    return Asked(*this)->instructions(call);
  }
  StepRecord step(const Span& span) const override { return Asked(*this)->step(span); }
  Appraisal appraisal(const Span& span) const override { return Asked(*this)->appraisal(span); }
  std::vector<std::string> changed() const override {
    std::set<uint32_t> sources;
    std::lock_guard lock(idle_mutex_);
    for (const auto& excerpts : idle_)
      sources.insert(excerpts->changed().begin(), excerpts->changed().end());
    std::vector<std::string> paths;
    paths.reserve(sources.size());
    for (uint32_t source : sources) paths.push_back(trace_.sources[source].path);
    return paths;
  }

 private:
  /// One that nobody else asks meanwhile.
  class Asked {
   public:
    explicit Asked(const FilePayloads& of) : of_(of) {
      std::lock_guard lock(of_.idle_mutex_);
      if (of_.idle_.empty()) of_.idle_.push_back(std::make_unique<Excerpts>(of_.trace_));
      excerpts_ = std::move(of_.idle_.back());
      of_.idle_.pop_back();
    }
    ~Asked() {
      std::lock_guard lock(of_.idle_mutex_);
      of_.idle_.push_back(std::move(excerpts_));
    }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    Excerpts* operator->() const { return excerpts_.get(); }

   private:
    const FilePayloads& of_;
    std::unique_ptr<Excerpts> excerpts_;
  };

  const Trace& trace_;
  mutable std::mutex idle_mutex_;
  mutable std::vector<std::unique_ptr<Excerpts>> idle_;
};

}  // namespace

std::unique_ptr<const Payloads> file_payloads(const Trace& trace) {
  return std::make_unique<FilePayloads>(trace);
}

}  // namespace xtrace
