/* RE2 takes the lock of readers and writers that unistd.h promises. Without threads nobody waits for it. */
#ifndef XTRACE_PTHREAD_H
#define XTRACE_PTHREAD_H

#include <sys/types.h>

static inline int pthread_rwlock_init(pthread_rwlock_t* lock, const void* attributes) {
  (void)lock;
  (void)attributes;
  return 0;
}
static inline int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  (void)lock;
  return 0;
}
static inline int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  (void)lock;
  return 0;
}
static inline int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  (void)lock;
  return 0;
}
static inline int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  (void)lock;
  return 0;
}

#endif
