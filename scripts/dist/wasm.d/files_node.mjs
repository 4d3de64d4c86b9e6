// The files of this machine for wasi.mjs, by Node.
import * as fs from "node:fs";
import * as tty from "node:tty";
import {FileError, Kind} from "./wasi.mjs";

const kWindows = process.platform === "win32";
const {O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY} = fs.constants;
const kRetryMs = 2;  // until a pipe that does not block is tried again; its reader takes longer for 64 KB

// On Windows the program sees `C:\Users\me` as `/C:/Users/me` and `\\server\share` as `/UNC/server/share`.

/// The path of the program for one of Windows, which is absolute.
export function toGuestPath(path) {
  const slashes = path.replaceAll("\\", "/");
  if (/^[A-Za-z]:\//.test(slashes)) return "/" + slashes[0].toUpperCase() + slashes.slice(1);
  const share = slashes.match(/^\/\/(?![.?]\/)([^/]+\/[^/]+.*)/);
  return share ? "/UNC/" + share[1] : slashes;
}

export function toWindowsPath(path) {
  if (path === "/dev/null") return "\\\\.\\nul";
  const parts = path.split("/").filter((part) => part !== "");
  if (parts[0]?.toUpperCase() === "UNC" && parts.length > 2) return "\\\\" + parts.slice(1).join("\\");
  if (/^[A-Za-z]:$/.test(parts[0] ?? "")) return parts[0] + "\\" + parts.slice(1).join("\\");
  return "\\" + parts.join("\\");
}

/// An argument as the program reads it: what is a path of Windows, also behind `--option=`, is converted.
/// A relative one is recognized by its folder, as a pattern such as `\d+` is written with backslashes too.
export function toGuestArgument(text, exists = fs.existsSync) {
  const [, option, value] = text.match(/^(--?[A-Za-z][\w-]*=)?(.*)$/s);
  if (/^([A-Za-z]:[\\/]|\\\\[^\\]+\\)/.test(value)) return (option ?? "") + toGuestPath(value);
  const end = value.lastIndexOf("\\");
  const isPath = end >= 0 && (exists(value) || exists(value.slice(0, end) || "\\"));
  return isPath ? (option ?? "") + value.replaceAll("\\", "/") : text;
}

/// The variables as the program reads them: those of Windows by the names of POSIX as well.
export function toGuestVariables(variables) {
  const env = {...variables};
  for (const [name, value] of Object.entries(env))
    if (/^([A-Za-z]:[\\/]|\\\\[^\\]+\\)[^;]*$/.test(value)) env[name] = toGuestPath(value);
  env.HOME ??= env.USERPROFILE;
  env.TMPDIR ??= env.TEMP ?? env.TMP;
  env.APPDATA ??= env.HOME && env.HOME + "/AppData/Roaming";
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}

const toHost = kWindows ? toWindowsPath : (path) => path;

function kindOf(entry) {
  return entry.isFile() ? Kind.file : entry.isDirectory() ? Kind.folder : entry.isSymbolicLink() ? Kind.link
    : entry.isFIFO() || entry.isSocket() ? Kind.stream : entry.isCharacterDevice() ? Kind.device : Kind.unknown;
}

function statusFrom(found) {
  return {kind: kindOf(found), size: Number(found.size), id: found.ino, device: found.dev, links: found.nlink, changed: found.mtimeNs};
}

const seconds = (time, otherwise) => time === undefined ? otherwise : Number(time) / 1e9;

export function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

class OpenFile {
  constructor(fd) {
    this.fd = fd;
    this.kind = kindOf(fs.fstatSync(fd));
    this.isTerminal = this.kind === Kind.device && tty.isatty(fd);
  }
  read(bytes, at) {
    try {
      return fs.readSync(this.fd, bytes, 0, bytes.length, at);
    } catch (error) {
      if (error.code === "EOF") return 0;  // of a pipe of Windows
      throw error;
    }
  }
  write(bytes, at) { return fs.writeSync(this.fd, bytes, 0, bytes.length, at); }
  stat() { return statusFrom(fs.fstatSync(this.fd, {bigint: true})); }
  resize(size) { fs.ftruncateSync(this.fd, size); }
  sync() { fs.fsyncSync(this.fd); }
  setTimes(accessed, changed) {
    const {atimeMs, mtimeMs} = fs.fstatSync(this.fd);
    fs.futimesSync(this.fd, seconds(accessed, atimeMs / 1e3), seconds(changed, mtimeMs / 1e3));
  }
  /// Unknown on Windows, where Node makes them up.
  permissions() { return kWindows ? -1 : fs.fstatSync(this.fd).mode & 0o7777; }
  setPermissions(mode) { if (!kWindows) fs.fchmodSync(this.fd, mode); }
  close() { fs.closeSync(this.fd); }
}

/// Standard output or error, or standard input if it is a file or device. A pipe may be one that does not
/// block, if another program made it so; this one waits.
export class StandardFile extends OpenFile {
  isStandard = true;
  constructor(fd) {
    super(fd);
    this.begin = this.kind === Kind.file ? positionOf(fd) : 0;
  }
  write(bytes) {
    for (;;) {
      try {
        return super.write(bytes, null);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
        pause(kRetryMs);
      }
    }
  }
  close() {}
}

/// Where another program left a file that it passes on; known on Linux only.
function positionOf(fd) {
  try {
    return Number(fs.readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").match(/^pos:\s*(\d+)/m)[1]);
  } catch {
    return 0;
  }
}

class OpenFolder {
  kind = Kind.folder;
  constructor(path) { this.path = path; }
  stat() { return statusFrom(fs.statSync(this.path, {bigint: true})); }
  list() { return fs.readdirSync(this.path, {withFileTypes: true}).map((entry) => ({name: entry.name, kind: kindOf(entry)})); }
  close() {}
}

/// `made` and `gone` are called with the path of each new file that has no place of its own yet, which
/// somebody has to remove if the program is interrupted; and when it was renamed or removed.
export class NodeFiles {
  constructor({made = () => {}, gone = () => {}} = {}) {
    this.made = made;
    this.gone = gone;
    this.unnamed = new Set();
  }
  open(guest, how) {
    const path = toHost(guest);
    if (how.folder || (kWindows && fs.statSync(path, {throwIfNoEntry: false})?.isDirectory())) {
      const found = how.follow ? fs.statSync(path) : fs.lstatSync(path);
      if (found.isDirectory()) return new OpenFolder(path);
      throw new FileError(found.isSymbolicLink() ? "ELOOP" : "ENOTDIR", path);
    }
    const access = how.write ? how.read ? O_RDWR : O_WRONLY : O_RDONLY;
    const file = new OpenFile(fs.openSync(path, access | (how.append ? O_APPEND : 0) | (how.create ? O_CREAT : 0) |
      (how.exclusive ? O_EXCL : 0) | (how.truncate ? O_TRUNC : 0) | (how.follow ? 0 : O_NOFOLLOW) |
      (how.nonblock ? O_NONBLOCK : 0), 0o666));
    if (how.exclusive) {
      this.unnamed.add(path);
      this.made(path);
    }
    if (file.kind !== Kind.folder) return file;
    file.close();
    return new OpenFolder(path);
  }
  stat(guest, follow) { return statusFrom((follow ? fs.statSync : fs.lstatSync)(toHost(guest), {bigint: true})); }
  makeFolder(guest) { fs.mkdirSync(toHost(guest)); }
  removeFolder(guest) { fs.rmdirSync(toHost(guest)); }
  removeFile(guest) {
    fs.unlinkSync(toHost(guest));
    this.forget(toHost(guest));
  }
  rename(from, to) {
    fs.renameSync(toHost(from), toHost(to));
    this.forget(toHost(from));
  }
  forget(path) { if (this.unnamed.delete(path)) this.gone(path); }
  link(from, to) { fs.linkSync(toHost(from), toHost(to)); }
  makeLink(target, guest) { fs.symlinkSync(target, toHost(guest)); }
  readLink(guest) {
    const path = toHost(guest);
    if (!fs.lstatSync(path).isSymbolicLink()) throw new FileError("EINVAL", path);  // Windows has no such error
    const target = fs.readlinkSync(path);
    return kWindows ? toGuestPath(target) : target;
  }
  setTimes(guest, follow, accessed, changed) {
    const path = toHost(guest), {atimeMs, mtimeMs} = (follow ? fs.statSync : fs.lstatSync)(path);
    (follow ? fs.utimesSync : fs.lutimesSync)(path, seconds(accessed, atimeMs / 1e3), seconds(changed, mtimeMs / 1e3));
  }
}
