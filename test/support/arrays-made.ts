const KINDS = ['Int16Array', 'Uint8Array', 'Float32Array', 'Float64Array'] as const;
const COPYING = ['slice', 'subarray', 'map'] as const;

/** How many arrays of samples are made while `work` is done. */
export async function arraysMade(work: () => Promise<void>): Promise<number> {
  const count = { made: 0 };
  const restores = [...KINDS.map((kind) => countNew(kind, count)), countCopies(count)];
  try {
    await work();
  } finally {
    for (const restore of restores) restore();
  }
  return count.made;
}

function countNew(kind: (typeof KINDS)[number], count: { made: number }): () => void {
  const original = globalThis[kind];
  const counting = new Proxy(original as typeof Int16Array, {
    construct(target, given, newTarget) {
      count.made += 1;
      return Reflect.construct(target, given, newTarget) as object;
    },
  });
  Object.assign(globalThis, { [kind]: counting });
  return () => void Object.assign(globalThis, { [kind]: original });
}

function countCopies(count: { made: number }): () => void {
  const shared = Object.getPrototypeOf(Int16Array.prototype) as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  const originals = COPYING.map((name) => [name, shared[name]!] as const);
  for (const [name, original] of originals) {
    shared[name] = function (this: unknown, ...given) {
      count.made += 1;
      return original.apply(this, given);
    };
  }
  return () => void Object.assign(shared, Object.fromEntries(originals));
}
