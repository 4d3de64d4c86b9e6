// The functions of WASI preview 1 that a program built with wasi-libc imports, over a small interface
// to files (files_node.mjs, files_memory.mjs):
//
//   files.open(path, {read, write, append, create, exclusive, truncate, folder, follow}) → handle
//   files.stat(path, follow) → {kind, size, id, device, links, changed}, `changed` in nanoseconds (BigInt)
//   files.makeFolder(path), removeFolder(path), removeFile(path), rename(from, to), makeLink(target, path),
//     link(from, to), readLink(path), setTimes(path, follow, accessed, changed)
//   handle.kind, stat(), close(), and for a folder list() → [{name, kind}], for others
//     read(bytes, at) → count, write(bytes, at) → count, resize(size), setTimes(accessed, changed), sync()
//   handle.begin: where a standard stream that is a file is read or written first
//   handle.poll(ms) → {bytes, ended}, or nothing if there is nothing to read for so long: streams only
//
// Paths are those of the program, absolute, with `/`. `at` is a position, or null for a stream. A function
// that fails throws an error whose `code` is a name of POSIX, as those of Node do.

export const Kind = {unknown: 0, device: 2, folder: 3, file: 4, stream: 6, link: 7};

/// An error as those of node:fs.
export class FileError extends Error {
  constructor(code, path) {
    super(path === undefined ? code : `${code}: ${path}`);
    this.code = code;
  }
}

/// The program ended by itself.
class Exit extends Error {
  constructor(code) {
    super(`exit ${code}`);
    this.exitCode = code;
  }
}

const kErrors = {
  E2BIG: 1, EACCES: 2, EAGAIN: 6, EBADF: 8, EBUSY: 10, EDQUOT: 19, EEXIST: 20, EFAULT: 21, EFBIG: 22, EINTR: 27, EINVAL: 28,
  EIO: 29, EISDIR: 31, ELOOP: 32, EMFILE: 33, EMLINK: 34, ENAMETOOLONG: 37, ENFILE: 41, ENODEV: 43, ENOENT: 44, ENOMEM: 48,
  ENOSPC: 51, ENOSYS: 52, ENOTDIR: 54, ENOTEMPTY: 55, ENOTSUP: 58, EOPNOTSUPP: 58, ENOTTY: 59, ENXIO: 60, EOVERFLOW: 61,
  EPERM: 63, EPIPE: 64, EROFS: 69, ESPIPE: 70, ESTALE: 72, ETXTBSY: 74, EXDEV: 75,
};

// Names of bits and values of preview 1.
const Open = {create: 1, folder: 2, exclusive: 4, truncate: 8};
const Flag = {append: 1, nonblock: 4};
const Right = {read: 1n << 1n, seek: 1n << 2n, tell: 1n << 5n, write: 1n << 6n, list: 1n << 14n};
const kAllRights = (1n << 29n) - 1n;
const Time = {accessed: 1, accessedNow: 2, changed: 4, changedNow: 8};
const Event = {clock: 0, read: 1, write: 2};
const kRoot = 3;  // the descriptor of the only folder that is open from the start: the root of all paths

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", {ignoreBOM: true});

export class Wasi {
  /// `streams`: the handles of standard input, output and error; one that is closed is null. `sleep` waits
  /// for so many milliseconds, `fillRandom` fills bytes with what nobody can predict.
  constructor({args, env, files, streams, sleep, fillRandom}) {
    this.args = args.map((text) => encoder.encode(text + "\0"));
    this.env = Object.entries(env).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
    this.files = files;
    this.sleep = sleep;
    this.fillRandom = fillRandom;
    this.open = streams.map((handle) => handle && {handle, at: handle.begin ?? 0, flags: 0, path: ""});
    this.open[kRoot] = {handle: files.open("/", {folder: true, follow: true}), at: 0, flags: 0, path: ""};
    const call = (run) => (...values) => this.answer(run, values);
    const functions = new Proxy({}, {get: (_, name) => call(this[name] ?? (() => { throw new FileError("ENOSYS", name); }))});
    // Not in WASI, which has no permissions: files that only their owner may read.
    this.imports = {wasi_snapshot_preview1: functions, xtrace: {
      set_permissions: call((fd, mode) => this.file(fd).setPermissions?.(mode)),
      permissions: (fd) => this.open[fd]?.handle.permissions?.() ?? -1,
    }};
  }

  /// Runs the program and returns its exit code.
  run(instance) {
    this.memory = instance.exports.memory;
    try {
      instance.exports._start();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.exitCode;
      throw error;
    } finally {
      this.open.forEach((entry, fd) => { if (entry && fd > kRoot) entry.handle.close(); });
    }
  }

  /// Errors of the system become numbers for the program; those of this module are thrown on.
  answer(run, values) {
    try {
      return run.apply(this, values) ?? 0;
    } catch (error) {
      if (error instanceof RangeError) return kErrors.EFAULT;  // an address beyond the memory
      if (typeof error.code !== "string") throw error;
      return kErrors[error.code] ?? kErrors.EIO;
    }
  }

  // Memory grows, and then its buffer is another one.
  get view() {
    if (this.dataView?.buffer !== this.memory.buffer) this.dataView = new DataView(this.memory.buffer);
    return this.dataView;
  }
  bytes(at, count) { return new Uint8Array(this.memory.buffer, at >>> 0, count >>> 0); }
  set32(at, value) { this.view.setUint32(at >>> 0, value, true); }
  set64(at, value) { this.view.setBigUint64(at >>> 0, BigInt.asUintN(64, BigInt(value)), true); }

  entry(fd) {
    const found = this.open[fd];
    if (!found) throw new FileError("EBADF");
    return found;
  }
  file(fd) {
    const {handle} = this.entry(fd);
    if (handle.kind === Kind.folder) throw new FileError("EISDIR");
    return handle;
  }
  isSeekable({handle}) { return handle.kind === Kind.file; }

  /// The path of a name in an open folder.
  path(fd, at, count) {
    const {handle, path} = this.entry(fd);
    if (handle.kind !== Kind.folder) throw new FileError("ENOTDIR");
    const name = decoder.decode(this.bytes(at, count)).replace(/^\/+/, "");
    return name === "" || name === "." ? path || "/" : `${path}/${name}`;
  }

  putTexts(texts, table, at) {
    for (const text of texts) {
      this.set32(table, at);
      this.bytes(at, text.length).set(text);
      table += 4;
      at += text.length;
    }
  }
  putSizes(texts, count, size) {
    this.set32(count, texts.length);
    this.set32(size, texts.reduce((sum, text) => sum + text.length, 0));
  }

  args_get(table, at) { this.putTexts(this.args, table, at); }
  args_sizes_get(count, size) { this.putSizes(this.args, count, size); }
  environ_get(table, at) { this.putTexts(this.env, table, at); }
  environ_sizes_get(count, size) { this.putSizes(this.env, count, size); }

  clock_res_get(_clock, to) { this.set64(to, 1000n); }
  clock_time_get(clock, _precision, to) { this.set64(to, this.now(clock)); }
  now(clock) { return BigInt(Math.round((clock === 0 ? Date.now() : performance.now()) * 1e3)) * 1000n; }

  random_get(at, count) { this.fillRandom(this.bytes(at, count)); }
  sched_yield() {}
  proc_exit(code) { throw new Exit(code); }

  /// Fills the parts of memory in a list of (address, size) by `take`, until one is not filled whole.
  transfer(list, parts, to, take) {
    let sum = 0;
    for (; parts > 0; parts--, list += 8) {
      const size = this.view.getUint32(list + 4, true);
      if (size === 0) continue;
      const count = take(this.bytes(this.view.getUint32(list, true), size), sum);
      sum += count;
      if (count < size) break;
    }
    this.set32(to, sum);
    return sum;
  }

  fd_read(fd, list, parts, to) {
    const entry = this.entry(fd), handle = this.file(fd), isSeekable = this.isSeekable(entry);
    const sum = this.transfer(list, parts, to, (bytes, done) => handle.read(bytes, isSeekable ? entry.at + done : null));
    entry.at += sum;
  }
  fd_pread(fd, list, parts, at, to) {
    const handle = this.file(fd);
    if (!this.isSeekable(this.entry(fd))) throw new FileError("ESPIPE");
    this.transfer(list, parts, to, (bytes, done) => handle.read(bytes, Number(at) + done));
  }
  fd_write(fd, list, parts, to) {
    const entry = this.entry(fd), handle = this.file(fd), isSeekable = this.isSeekable(entry) && !handle.isStandard;
    if (isSeekable && entry.flags & Flag.append) entry.at = handle.stat().size;
    const sum = this.transfer(list, parts, to, (bytes, done) => handle.write(bytes, isSeekable ? entry.at + done : null));
    entry.at += sum;
  }
  fd_pwrite(fd, list, parts, at, to) {
    const handle = this.file(fd);
    if (!this.isSeekable(this.entry(fd))) throw new FileError("ESPIPE");
    this.transfer(list, parts, to, (bytes, done) => handle.write(bytes, Number(at) + done));
  }
  fd_seek(fd, by, from, to) {
    const entry = this.entry(fd);
    if (!this.isSeekable(entry)) throw new FileError("ESPIPE");
    const begin = from === 0 ? 0 : from === 1 ? entry.at : entry.handle.stat().size;
    if (begin + Number(by) < 0) throw new FileError("EINVAL");
    entry.at = begin + Number(by);
    this.set64(to, entry.at);
  }
  fd_tell(fd, to) { this.fd_seek(fd, 0n, 1, to); }

  fd_close(fd) {
    const {handle} = this.entry(fd);
    this.open[fd] = null;
    handle.close();
  }
  fd_renumber(from, to) {
    const entry = this.entry(from);
    if (from === to) return;
    if (this.open[to]) this.fd_close(to);
    this.open[to] = entry;
    this.open[from] = null;
  }
  fd_sync(fd) { this.file(fd).sync?.(); }
  fd_datasync(fd) { this.fd_sync(fd); }
  fd_advise() {}
  fd_allocate(fd, at, count) {
    const handle = this.file(fd), end = Number(at + count);
    if (handle.stat().size < end) handle.resize(end);
  }

  /// A terminal is a device without a position: so wasi-libc's isatty() recognizes it.
  fd_fdstat_get(fd, to) {
    const {handle, flags} = this.entry(fd);
    const isUnseekable = handle.isTerminal || handle.kind === Kind.stream;
    this.set64(to, BigInt(handle.kind) | BigInt(flags) << 16n);
    this.set64(to + 8, isUnseekable ? kAllRights & ~(Right.seek | Right.tell) : kAllRights);
    this.set64(to + 16, kAllRights);
  }
  fd_fdstat_set_flags(fd, flags) { this.entry(fd).flags = flags; }
  fd_prestat_get(fd, to) {
    if (fd !== kRoot || !this.open[kRoot]) throw new FileError("EBADF");
    this.set32(to, 0);
    this.set32(to + 4, 1);
  }
  fd_prestat_dir_name(fd, at) {
    if (fd !== kRoot) throw new FileError("EBADF");
    this.bytes(at, 1)[0] = 0x2f;
  }

  putStatus(to, {kind, size, id, device, links, changed}) {
    [device, id, kind, links, size, changed, changed, changed].forEach((value, i) => this.set64(to + 8 * i, value));
  }
  fd_filestat_get(fd, to) { this.putStatus(to, this.entry(fd).handle.stat()); }
  fd_filestat_set_size(fd, size) { this.file(fd).resize(Number(size)); }
  fd_filestat_set_times(fd, accessed, changed, which) {
    this.file(fd).setTimes(this.chosenTime(accessed, which, Time.accessed), this.chosenTime(changed, which, Time.changed));
  }
  path_filestat_get(fd, follow, at, count, to) { this.putStatus(to, this.files.stat(this.path(fd, at, count), (follow & 1) === 1)); }
  path_filestat_set_times(fd, follow, at, count, accessed, changed, which) {
    this.files.setTimes(this.path(fd, at, count), (follow & 1) === 1, this.chosenTime(accessed, which, Time.accessed),
      this.chosenTime(changed, which, Time.changed));
  }
  /// In nanoseconds; undefined: as it was. The bit for "now" is next to the one for a time.
  chosenTime(time, which, bit) { return which & bit ? BigInt.asIntN(64, time) : which & (bit << 1) ? this.now(0) : undefined; }

  path_open(fd, follow, at, count, how, rights, _inheriting, flags, to) {
    const path = this.path(fd, at, count);
    const handle = this.files.open(path, {
      read: (rights & (Right.read | Right.list)) !== 0n, write: (rights & Right.write) !== 0n, append: (flags & Flag.append) !== 0,
      create: (how & Open.create) !== 0, exclusive: (how & Open.exclusive) !== 0, truncate: (how & Open.truncate) !== 0,
      folder: (how & Open.folder) !== 0, follow: (follow & 1) === 1, nonblock: (flags & Flag.nonblock) !== 0,
    });
    let free = 0;
    while (this.open[free]) free++;
    this.open[free] = {handle, at: 0, flags, path: path === "/" ? "" : path};
    this.set32(to, free);
  }
  path_create_directory(fd, at, count) { this.files.makeFolder(this.path(fd, at, count)); }
  path_remove_directory(fd, at, count) { this.files.removeFolder(this.path(fd, at, count)); }
  path_unlink_file(fd, at, count) { this.files.removeFile(this.path(fd, at, count)); }
  path_rename(fd, at, count, toFd, toAt, toCount) { this.files.rename(this.path(fd, at, count), this.path(toFd, toAt, toCount)); }
  path_link(fd, _follow, at, count, toFd, toAt, toCount) { this.files.link(this.path(fd, at, count), this.path(toFd, toAt, toCount)); }
  path_symlink(at, count, fd, toAt, toCount) { this.files.makeLink(decoder.decode(this.bytes(at, count)), this.path(fd, toAt, toCount)); }
  path_readlink(fd, at, count, to, most, size) {
    const target = encoder.encode(this.files.readLink(this.path(fd, at, count))).subarray(0, most);
    this.bytes(to, target.length).set(target);
    this.set32(size, target.length);
  }

  /// A folder is listed once, when its first entry is read: what comes or goes later shifts none. An entry
  /// that does not fit is written in part, after which the program asks for it with more room.
  fd_readdir(fd, to, most, from, size) {
    const entry = this.entry(fd);
    if (entry.handle.kind !== Kind.folder) throw new FileError("ENOTDIR");
    if (from === 0n || !entry.list)
      entry.list = [{name: ".", kind: Kind.folder}, {name: "..", kind: Kind.folder}, ...entry.handle.list()];
    let used = 0;
    for (let i = Number(from); i < entry.list.length && used < most; i++) {
      const name = encoder.encode(entry.list[i].name);
      const record = new DataView(new ArrayBuffer(24 + name.length));
      record.setBigUint64(0, BigInt(i + 1), true);
      record.setBigUint64(8, BigInt(i + 1), true);  // no file's number, but 0 would cost a stat() for each
      record.setUint32(16, name.length, true);
      record.setUint8(20, entry.list[i].kind);
      const bytes = new Uint8Array(record.buffer);
      bytes.set(name, 24);
      const part = bytes.subarray(0, most - used);
      this.bytes(to + used, part.length).set(part);
      used += part.length;
    }
    this.set32(size, used);
  }

  /// Waits for the first of several events. Of files, only streams can make it wait.
  poll_oneoff(from, to, count, size) {
    if (count === 0) throw new FileError("EINVAL");
    const asked = Array.from({length: count}, (_, i) => this.readSubscription(from + 48 * i));
    const found = [], streams = [];
    for (const one of asked) {
      if (one.type === Event.clock) continue;
      const handle = this.open[one.fd]?.handle;
      if (!handle) found.push({...one, error: kErrors.EBADF});
      else if (one.type === Event.write || !handle.poll) found.push({...one, bytes: 1});
      else streams.push({...one, handle});
    }
    const wait = Math.min(...asked.map((one) => one.ms ?? Infinity));
    // Only one stream can be waited for at a time; this program never has two.
    streams.forEach((one, i) => {
      const state = one.handle.poll(found.length > 0 || i > 0 ? 0 : wait);
      if (state) found.push({...one, bytes: state.bytes, hasEnded: state.ended});
    });
    if (found.length === 0) {
      if (streams.length === 0) this.sleep(wait);
      found.push(...asked.filter((one) => one.ms !== undefined && one.ms <= wait));
    }
    found.forEach((one, i) => this.putEvent(to + 32 * i, one));
    this.set32(size, found.length);
  }
  readSubscription(at) {
    const user = this.view.getBigUint64(at, true), type = this.view.getUint8(at + 8);
    if (type !== Event.clock) return {user, type, fd: this.view.getUint32(at + 16, true)};
    const clock = this.view.getUint32(at + 16, true), isAbsolute = (this.view.getUint16(at + 40, true) & 1) === 1;
    const time = this.view.getBigUint64(at + 24, true) - (isAbsolute ? this.now(clock) : 0n);
    return {user, type, ms: Math.max(0, Number(time) / 1e6)};
  }
  putEvent(at, {user, type, error = 0, bytes = 0, hasEnded = false}) {
    this.set64(at, user);
    this.set64(at + 8, BigInt(error) | BigInt(type) << 16n);
    this.set64(at + 16, bytes);
    this.set64(at + 24, hasEnded ? 1 : 0);
  }
}
