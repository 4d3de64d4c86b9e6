#include <signal.h>

#include "base/deferred_signals.h"

namespace xtrace {

struct DeferredSignals::Before {
  sigset_t signals;
};

DeferredSignals::DeferredSignals() : before_(std::make_unique<Before>()) {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF})
    sigaddset(&interrupts, signal);
  pthread_sigmask(SIG_BLOCK, &interrupts, &before_->signals);
}

DeferredSignals::~DeferredSignals() {
  pthread_sigmask(SIG_SETMASK, &before_->signals, nullptr);
}

}  // namespace xtrace
