// Files in memory for wasi.mjs, and files that a user chose in a browser, which are read by slices and never
// held whole.
import {FileError, Kind} from "./wasi.mjs";

const kBlock = 4 << 20;  // bytes; one slice takes as long as a hundred small reads
const kBlocks = 4;  // of each file: where lines are read and, some blocks earlier, what they repeat
const kFirstRoom = 1 << 16;  // bytes of a file that is written; doubled as it grows

/// A file that a user chose. `readSlice(file, from, to)` returns bytes, `onRead(count)` hears of each slice
/// that no earlier one covers.
class ChosenContent {
  constructor(file, readSlice, onRead) {
    Object.assign(this, {file, readSlice, onRead, blocks: new Map(), seen: 0});
  }
  get size() { return this.file.size; }
  read(bytes, at) {
    let done = 0;
    while (done < bytes.length && at + done < this.size) {
      const index = Math.floor((at + done) / kBlock);
      const part = this.block(index).subarray(at + done - index * kBlock).subarray(0, bytes.length - done);
      if (part.length === 0) break;  // the file became shorter
      bytes.set(part, done);
      done += part.length;
    }
    return done;
  }
  block(index) {
    let block = this.blocks.get(index);
    if (block) this.blocks.delete(index);  // which makes it the newest
    else {
      if (this.blocks.size === kBlocks) this.blocks.delete(this.blocks.keys().next().value);
      const end = Math.min(this.size, (index + 1) * kBlock);
      block = this.readSlice(this.file, index * kBlock, end);
      if (end > this.seen) {
        this.onRead(end - this.seen);
        this.seen = end;
      }
    }
    this.blocks.set(index, block);
    return block;
  }
  write() { throw new FileError("EROFS"); }
  resize() { throw new FileError("EROFS"); }
}

class WrittenContent {
  bytes = new Uint8Array(0);
  size = 0;
  read(to, at) {
    const part = this.bytes.subarray(Math.min(at, this.size), Math.min(this.size, at + to.length));
    to.set(part);
    return part.length;
  }
  write(from, at) {
    if (at + from.length > this.size) this.resize(at + from.length);
    this.bytes.set(from, at);
    return from.length;
  }
  resize(size) {
    if (size > this.bytes.length) {
      const more = new Uint8Array(Math.max(size, 2 * this.bytes.length, kFirstRoom));
      more.set(this.bytes.subarray(0, this.size));
      this.bytes = more;
    } else if (size < this.size) this.bytes.fill(0, size, this.size);
    this.size = size;
  }
}

/// A stream that the program writes; its parts are collected.
export class CollectedOutput {
  kind = Kind.stream;
  isStandard = true;
  parts = [];
  size = 0;
  write(bytes) {
    this.parts.push(bytes.slice());
    this.size += bytes.length;
    return bytes.length;
  }
  read() { return 0; }
  stat() { return {kind: Kind.stream, size: 0, id: 0, device: 0, links: 1, changed: 0n}; }
  close() {}
}

/// Standard input without a byte, as /dev/null has it.
export class NoInput {
  kind = Kind.device;
  isStandard = true;
  read() { return 0; }
  write() { throw new FileError("EBADF"); }
  stat() { return {kind: Kind.device, size: 0, id: 0, device: 0, links: 1, changed: 0n}; }
  close() {}
}

class Node {
  static count = 0;
  id = ++Node.count;
  constructor(kind, changed, content) { Object.assign(this, {kind, changed, content}); }
  stat() {
    return {kind: this.kind, size: this.content?.size ?? 0, id: this.id, device: 1, links: 1, changed: BigInt(this.changed) * 1_000_000n};
  }
}

class Handle {
  constructor(node) { Object.assign(this, {node, kind: node.kind}); }
  read(bytes, at) { return this.node.content.read(bytes, at); }
  write(bytes, at) {
    this.node.changed = Date.now();
    return this.node.content.write(bytes, at);
  }
  resize(size) { this.node.content.resize(size); }
  setTimes(_accessed, changed) { if (changed !== undefined) this.node.changed = Number(changed / 1_000_000n); }
  stat() { return this.node.stat(); }
  list() { return Array.from(this.node.entries, ([name, {kind}]) => ({name, kind})); }
  close() {}
}

export class MemoryFiles {
  constructor({readSlice, onRead = () => {}}) {
    this.readSlice = readSlice;
    this.onRead = onRead;
    this.root = this.newFolder();
  }
  newFolder() { return Object.assign(new Node(Kind.folder, Date.now()), {entries: new Map()}); }

  /// Adds a chosen file and the folders on the way to it.
  add(path, file) {
    const names = path.split("/").filter(Boolean), name = names.pop();
    this.addFolders(names).entries.set(name, new Node(Kind.file, file.lastModified, new ChosenContent(file, this.readSlice, this.onRead)));
  }
  addFolders(names) {
    let folder = this.root;
    for (const name of names) {
      if (!folder.entries.has(name)) folder.entries.set(name, this.newFolder());
      folder = folder.entries.get(name);
    }
    return folder;
  }

  /// The folder of a path, and the name in it; of the root, no name.
  place(path) {
    const names = [];
    for (const name of path.split("/"))
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    const last = names.pop();
    let folder = this.root;
    for (const name of names) {
      folder = folder.entries.get(name);
      if (!folder) throw new FileError("ENOENT", path);
      if (folder.kind !== Kind.folder) throw new FileError("ENOTDIR", path);
    }
    return {folder, name: last, node: last === undefined ? this.root : folder.entries.get(last)};
  }
  find(path) {
    const {node} = this.place(path);
    if (!node) throw new FileError("ENOENT", path);
    return node;
  }

  open(path, how) {
    let {folder, name, node} = this.place(path);
    if (node && how.create && how.exclusive) throw new FileError("EEXIST", path);
    if (!node) {
      if (!how.create) throw new FileError("ENOENT", path);
      node = new Node(Kind.file, Date.now(), new WrittenContent());
      folder.entries.set(name, node);
    }
    if (how.folder && node.kind !== Kind.folder) throw new FileError("ENOTDIR", path);
    if (how.write && node.kind === Kind.folder) throw new FileError("EISDIR", path);
    if (how.truncate) node.content.resize(0);
    return new Handle(node);
  }
  stat(path) { return this.find(path).stat(); }
  makeFolder(path) {
    const {folder, name, node} = this.place(path);
    if (node) throw new FileError("EEXIST", path);
    folder.entries.set(name, this.newFolder());
  }
  removeFolder(path) {
    const {folder, name} = this.place(path), node = this.find(path);
    if (node.kind !== Kind.folder) throw new FileError("ENOTDIR", path);
    if (node.entries.size > 0) throw new FileError("ENOTEMPTY", path);
    folder.entries.delete(name);
  }
  removeFile(path) {
    const {folder, name} = this.place(path);
    if (this.find(path).kind === Kind.folder) throw new FileError("EISDIR", path);
    folder.entries.delete(name);
  }
  rename(from, to) {
    const node = this.find(from), old = this.place(from), target = this.place(to);
    if (target.node === node) return;
    if (target.name === undefined || target.node?.kind === Kind.folder) throw new FileError("EISDIR", to);
    old.folder.entries.delete(old.name);
    target.folder.entries.set(target.name, node);
  }
  readLink(path) {
    this.find(path);
    throw new FileError("EINVAL", path);  // no link
  }
  link() { throw new FileError("ENOTSUP"); }
  makeLink() { throw new FileError("ENOTSUP"); }
  setTimes(path, _follow, accessed, changed) { new Handle(this.find(path)).setTimes(accessed, changed); }
}
