/**
 * The methods of each path. With it, `errorRendering` distinguishes "no such path" from "method not allowed", and
 * `upgrades` finds the paths that have a WebSocket.
 */
export interface RouteMethods {
  /** Adds a route; `pattern` is its URL with `:name` and `*`. */
  note(pattern: string, method: string | readonly string[]): void;
  /**
   * The methods at a URL: those of the pattern that is exactly this path, or else of all patterns that match it
   * (`/calls/:id` matches `/calls/1`). Empty if no pattern matches.
   */
  allowedAt(url: string): string[];
  /**
   * True if a pattern is exactly this path and does not have the method, even if a pattern with a parameter matches the
   * path and has the method.
   */
  refuses(method: string, url: string): boolean;
}

/** The methods of one pattern, and its segments: `['', 'api', 'calls', ':call_id']`. */
interface Entry {
  segments: string[];
  methods: Set<string>;
}

/** Creates an empty table; its owner adds the routes as Fastify registers them. */
export function createRouteMethods(): RouteMethods {
  const entries = new Map<string, Entry>();
  const exactly = (url: string) => entries.get(pathOf(url))?.methods;
  return {
    note(pattern, method) {
      // A route at `*` takes all paths that have no other route, so it does not show that a path exists.
      if (pattern === '*' || pattern === '/*') return;
      const path = pathOf(pattern);
      const entry = entries.get(path) ?? { segments: segmentsOf(path), methods: new Set() };
      entries.set(path, entry);
      for (const name of [method].flat()) entry.methods.add(name);
    },
    allowedAt(url) {
      const exact = exactly(url);
      if (exact) return [...exact].sort();
      const path = segmentsOf(pathOf(url));
      const matching = [...entries.values()].filter((entry) => matches(entry.segments, path));
      return [...new Set(matching.flatMap((entry) => [...entry.methods]))].sort();
    },
    refuses(method, url) {
      const exact = exactly(url);
      return exact !== undefined && !exact.has(method);
    },
  };
}

/** The path of a URL, without a trailing slash, which the router ignores. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0]!.replace(/\/$/, '');
}

function segmentsOf(path: string): string[] {
  return path.split('/');
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const hasWildcard = pattern.at(-1) === '*';
  if (hasWildcard ? path.length < pattern.length : path.length !== pattern.length) return false;
  return pattern.every((segment, index) => {
    if (segment === '*') return true;
    return segment.startsWith(':') ? path[index] !== '' : segment === path[index];
  });
}
