/** One step of a path: `.name`, `[0]` or `['name']`. */
const STEP = /\.([\w-]+)|\[(\d+)\]|\['([^']+)'\]/g;

/**
 * The value at a path such as `$.slots[0].day` in parsed JSON; undefined if there is none. For a tool's `save`, and for
 * the exits of talk steps.
 */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const [, name, index, quoted] of path.matchAll(STEP)) {
    const key = name ?? index ?? quoted!;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
