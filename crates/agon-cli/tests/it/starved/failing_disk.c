/* A disk that fails on command, for tests: loaded into a process before its C library.
 *
 * While the file named by FAILING_DISK exists, whatever touches a file whose name contains
 * "journal." fails as that file says: "full" (no space left), "sync" (a sync fails, writes do not),
 * "read-only" (the file system takes nothing); or, if it says "slow", a sync does not end before the
 * file is gone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum fault { NONE, FULL, SYNC, READ_ONLY, SLOW };

static enum fault fault_now(void) {
    const char *name = getenv("FAILING_DISK");
    if (!name) return NONE;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) return NONE;
    char word[16] = {0};
    ssize_t length = read(fd, word, sizeof word - 1);
    close(fd);
    if (length <= 0) return NONE;
    if (!strncmp(word, "full", 4)) return FULL;
    if (!strncmp(word, "sync", 4)) return SYNC;
    if (!strncmp(word, "read-only", 9)) return READ_ONLY;
    if (!strncmp(word, "slow", 4)) return SLOW;
    return NONE;
}

static int is_journal(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strstr(path, "journal.") != NULL;
}

/* The error that writing to this file has now; 0 for none. */
static int write_error(int fd) {
    switch (fault_now()) {
    case FULL: return is_journal(fd) ? ENOSPC : 0;
    case READ_ONLY: return is_journal(fd) ? EROFS : 0;
    default: return 0;
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_IF(error) do { int e = (error); if (e) { errno = e; return -1; } } while (0)

ssize_t write(int fd, const void *from, size_t count) {
    FAIL_IF(write_error(fd));
    return REAL(write)(fd, from, count);
}

ssize_t pwrite(int fd, const void *from, size_t count, off_t at) {
    FAIL_IF(write_error(fd));
    return REAL(pwrite)(fd, from, count, at);
}

ssize_t pwrite64(int fd, const void *from, size_t count, off64_t at) {
    FAIL_IF(write_error(fd));
    return REAL(pwrite64)(fd, from, count, at);
}

static int sync_error(int fd) {
    if (!is_journal(fd)) return 0;
    while (fault_now() == SLOW) usleep(1000);
    return fault_now() == SYNC ? EIO : 0;
}

int fsync(int fd) {
    FAIL_IF(sync_error(fd));
    return REAL(fsync)(fd);
}

int fdatasync(int fd) {
    FAIL_IF(sync_error(fd));
    return REAL(fdatasync)(fd);
}

static int open_error(const char *path, int flags) {
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    return writes && strstr(path, "journal.") && fault_now() == READ_ONLY ? EROFS : 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                              \
        FAIL_IF(open_error(path, flags));                                                          \
        return REAL(name)(path, flags, mode);                                                      \
    }

OPEN(open)
OPEN(open64)
