/* std::filesystem::space() asks; WASI cannot say how much room there is. */
#ifndef XTRACE_SYS_STATVFS_H
#define XTRACE_SYS_STATVFS_H

#include <errno.h>

struct statvfs {
  unsigned long f_bsize, f_frsize;
  unsigned long long f_blocks, f_bfree, f_bavail;
};

static inline int statvfs(const char* path, struct statvfs* found) {
  (void)path;
  (void)found;
  errno = ENOSYS;
  return -1;
}

#endif
