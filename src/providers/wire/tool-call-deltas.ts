import type { Chunk } from './repaired-stream.js';

/** A tool call of the answer, as far as it has arrived. */
interface PartialCall {
  /** The index passed on, unique per call. */
  index: number;
  /** The server's index; null if it sends none. */
  wireIndex: number | null;
  /** The id passed on: that of the server, or a new id. */
  id: string;
  /** The server's id, which identifies later deltas; null if it sends none. */
  wireId: string | null;
  name: string | null;
  arguments: string;
}

/**
 * Assigns the deltas of one answer's tool calls to calls with a unique index and id. Servers omit the index (Mistral,
 * Gemini), use the first index for every call (ollama#15457), repeat ids or change them within a call (litellm#40040),
 * and send the name late, repeatedly, or as "". Used by `ChatRepairs`.
 */
export class ToolCallDeltas {
  readonly #makeId: () => string;
  readonly #calls: PartialCall[] = [];

  constructor(makeId: () => string) {
    this.#makeId = makeId;
  }

  /**
   * The deltas to pass on. The first delta of a call has its index, id, name and arguments so far; later deltas have
   * its index and further arguments.
   */
  repair(deltas: readonly unknown[]): Chunk[] {
    return deltas.flatMap((delta) => this.#repairOne(asObject(delta)));
  }

  /** The delta to pass on, if any: none while the name of the call is unknown, or if the delta adds nothing. */
  #repairOne(delta: Chunk): Chunk[] {
    const functionDelta = asObject(delta['function']);
    const wireIndex = typeof delta['index'] === 'number' ? delta['index'] : null;
    const wireId = textOrNull(delta['id']);
    const name = textOrNull(functionDelta['name']);
    const piece = argumentsOf(functionDelta['arguments']);
    const continued = this.#continuedCall({ wireIndex, wireId, name });
    const call = continued ?? this.#beginCall(wireIndex, wireId);
    const isAnnounced = call.name !== null;
    call.name ??= name;
    call.arguments += piece;
    // A call is announced only with its name: earlier arguments are held until then.
    if (call.name === null) return [];
    if (isAnnounced) return piece === '' ? [] : [{ index: call.index, function: { arguments: piece } }];
    return [
      {
        index: call.index,
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
        ...(delta['extra_content'] !== undefined && { extra_content: delta['extra_content'] }),
      },
    ];
  }

  /** The call that a delta continues; undefined if the delta begins a new call. */
  #continuedCall(delta: Pick<PartialCall, 'wireIndex' | 'wireId' | 'name'>): PartialCall | undefined {
    const { wireIndex, wireId, name } = delta;
    // Of the calls with the server's index (of all calls without one): the call with its id, else the latest.
    const candidates =
      wireIndex === null ? this.#calls : this.#calls.filter((call) => call.wireIndex === wireIndex);
    const byId = wireId === null ? undefined : candidates.findLast((call) => call.wireId === wireId);
    const last = byId ?? candidates.at(-1);
    if (last === undefined || name === null || last.name === null) return last;
    // A name that comes again with the id of the call is a repetition; with another id it begins a new call.
    if (wireId !== null) return last.wireId === wireId ? last : undefined;
    // A name that comes again without an id begins a new call; but with the index of a call whose arguments are
    // incomplete, it is a repetition.
    return wireIndex !== null && !isJson(last.arguments) ? last : undefined;
  }

  /** Begins a call, with an id of its own if the server sends none or repeats one. */
  #beginCall(wireIndex: number | null, wireId: string | null): PartialCall {
    const isTaken = this.#calls.some(({ id }) => id === wireId);
    const id = wireId === null || isTaken ? this.#makeId() : wireId;
    const call = { index: this.#calls.length, wireIndex, id, wireId, name: null, arguments: '' };
    this.#calls.push(call);
    return call;
  }
}

/** A piece of the arguments as text; some servers send them as an object. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function asObject(value: unknown): Chunk {
  return typeof value === 'object' && value !== null ? (value as Chunk) : {};
}
