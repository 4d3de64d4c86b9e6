#pragma once

#include <memory>

namespace xtrace {

/// While it lives, an interrupt waits: for what takes a moment and must not be left half-done, such
/// as writing a folder that end_on_signals() could not remove.
class DeferredSignals {
 public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals&) = delete;
  DeferredSignals& operator=(const DeferredSignals&) = delete;

 private:
  struct Before;  ///< which signals were held back before
  std::unique_ptr<Before> before_;
};

}  // namespace xtrace
