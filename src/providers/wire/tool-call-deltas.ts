import type { Chunk } from './repaired-stream.js';

interface Call {
  /** As it is passed on: each call has its own. */
  index: number;
  /** As the server counts; null where it does not. */
  wireIndex: number | null;
  id: string;
  /** The server's own id, by which its later pieces are known; null where it gave none. */
  wireId: string | null;
  name: string | null;
  arguments: string;
}

/**
 * The pieces of tool calls, each under an index and an id of its own. Servers leave out the index (Mistral, Gemini),
 * count every call as the first (ollama#15457), repeat ids or change them within a call (litellm#40040), and send the
 * name late, or again, or as "".
 */
export class ToolCallDeltas {
  readonly #makeId: () => string;
  readonly #calls: Call[] = [];

  constructor(makeId: () => string) {
    this.#makeId = makeId;
  }

  repair(deltas: readonly unknown[]): Chunk[] {
    return deltas.flatMap((delta) => this.#piece(asObject(delta)));
  }

  #piece(delta: Chunk): Chunk[] {
    const said = asObject(delta['function']);
    const wireIndex = typeof delta['index'] === 'number' ? delta['index'] : null;
    const wireId = textOrNull(delta['id']);
    const name = textOrNull(said['name']);
    const piece = argumentsOf(said['arguments']);
    const known = this.#continued({ wireIndex, wireId, name });
    const call = known ?? this.#begin(wireIndex, wireId);
    const isAnnounced = call.name !== null;
    call.name ??= name;
    call.arguments += piece;
    // Without a name there is no call yet: what has come of its arguments goes with the name.
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

  /** The call that a piece belongs to; undefined where it begins one. */
  #continued(piece: Pick<Call, 'wireIndex' | 'wireId' | 'name'>): Call | undefined {
    const { wireIndex, wireId, name } = piece;
    const candidates =
      wireIndex === null ? this.#calls : this.#calls.filter((call) => call.wireIndex === wireIndex);
    const byId = wireId === null ? undefined : candidates.findLast((call) => call.wireId === wireId);
    const last = byId ?? candidates.at(-1);
    if (last === undefined || name === null || last.name === null) return last;
    if (wireId !== null) return last.wireId === wireId ? last : undefined;
    // A name and no id: a repetition while arguments are still coming, else the next call.
    return wireIndex !== null && !isJson(last.arguments) ? last : undefined;
  }

  #begin(wireIndex: number | null, wireId: string | null): Call {
    const isTaken = this.#calls.some(({ id }) => id === wireId);
    const id = wireId === null || isTaken ? this.#makeId() : wireId;
    const call = { index: this.#calls.length, wireIndex, id, wireId, name: null, arguments: '' };
    this.#calls.push(call);
    return call;
  }
}

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
