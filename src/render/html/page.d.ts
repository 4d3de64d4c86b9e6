// What TypeScript 4.8 does not know yet, and what the page gives to other programs.

interface Uint8ArrayConstructor {
  fromBase64?(text: string): Uint8Array;
}

interface Array<T> {
  findLast(test: (value: T) => unknown): T | undefined;
}

declare class DecompressionStream {
  constructor(format: 'gzip');
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** One link of a call, seen from it. */
interface HookLink {
  id: string;
  type: string;
  method: string;
  confidence: number;
  alternatives: { id: string; confidence: number }[];
}

interface HookNode {
  id: string;
  row: number;
  parent: string | null;
  agent: string;
  start_us: number | null;
  duration_us: number | null;
  status: string;
  failed: boolean;
  critical: boolean;
  at: string;
  cost_nusd: number | null;
  tokens_total: number | null;
}

interface HookCounts {
  nodes: number;
  edges: number;
  lanes: number;
  shown: number;
  errors: number;
  guesses: number;
  differences?: number;
  verdicts?: number;
}

/** `window.xtrace`: it shows and steers, it changes no fact. */
interface Hook {
  readonly version: 1;
  readonly kind: string;
  readonly ready: Promise<void>;
  counts(): HookCounts;
  ids(): string[];
  node(id: string): HookNode | null;
  edges(id: string): { causes: HookLink[]; effects: HookLink[] };
  search(text: string): string[];
  select(id: string | null): Promise<boolean>;
  selected(): string | null;
  views(): string[];
  view(name?: string): Promise<string | boolean>;
  visible(): { from_us: number; to_us: number; rows: string[]; marks: number; arrows: number; folded: number };
  spot(id: string): { x: number; y: number } | null;
  copy(format: 'markdown' | 'json'): string;
  colours(): { what: string; fg: string; bg: string; kind: 'text' | 'mark' }[];
  frameStats(reset?: boolean): { frames: number; p50_ms: number; p95_ms: number; max_ms: number };
}

interface Window {
  readonly xtrace: Hook;
}
