#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace xtrace {

/// A value that is made when it is first asked for, once, and then never changes: for conclusions
/// that not every answer needs. Safe to ask from several threads.
template <class T>
class Lazy {
 public:
  Lazy() : state_(std::make_unique<State>()) {}

  template <class Make>
  const T& get(Make&& make) const {
    std::call_once(state_->flag, [&] { state_->value.emplace(std::forward<Make>(make)()); });
    return *state_->value;
  }

 private:
  struct State {
    std::once_flag flag;
    std::optional<T> value;
  };
  std::unique_ptr<State> state_;
};

}  // namespace xtrace
