#pragma once

#include "view/story/story_options.h"

namespace xtrace {

/// What may be set for following an input.
struct FollowOptions {
  std::string view = "explanation";
  std::string query;           ///< of the view `trace`
  std::string window = "100";  ///< milliseconds that an event waits for earlier ones
  std::string max_queued = "100";
  std::string idle;    ///< seconds; empty: for ever
  std::string resume;  ///< a time: the reader has all updates before it
  bool until_end = false;
  bool open = false;       ///< as a page in the browser
  std::string port = "0";  ///< of that page; 0: one that is free
  StoryOptions story;

  void declare(Options& options);
};

/// The explanation of an input that grows, as it is now. The changes are up to whoever reads it.
class Follow final : public View {
 public:
  void declare(Options& options) override { options_.declare(options); }
  Result<Document> answer(const Question& question) const override;
  const FollowOptions* follow_options() const override { return &options_; }

 private:
  FollowOptions options_;
};

}  // namespace xtrace
