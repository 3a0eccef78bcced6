/** Remembers which methods each path understands, to tell "no such path" from "not with this method". */
export interface MethodBook {
  note(pattern: string, method: string | readonly string[]): void;
  /** The methods of every route that matches a URL; empty when there is nothing at that path. */
  allowedAt(url: string): string[];
}

interface Entry {
  segments: string[];
  methods: Set<string>;
}

export function createMethodBook(): MethodBook {
  const entries = new Map<string, Entry>();
  return {
    note(pattern, method) {
      // A route at `*` catches what no route is for.
      if (pattern === '*' || pattern === '/*') return;
      const entry = entries.get(pattern) ?? { segments: segmentsOf(pattern), methods: new Set() };
      entries.set(pattern, entry);
      for (const name of [method].flat()) entry.methods.add(name);
    },
    allowedAt(url) {
      const path = segmentsOf(url.split('?', 1)[0]!);
      const matching = [...entries.values()].filter((entry) => matches(entry.segments, path));
      return [...new Set(matching.flatMap((entry) => [...entry.methods]))].sort();
    },
  };
}

/** Without a trailing slash, which the router does not mind either. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  if (isOpen ? path.length < pattern.length : path.length !== pattern.length) return false;
  return pattern.every((segment, index) => {
    if (segment === '*') return true;
    return segment.startsWith(':') ? path[index] !== '' : segment === path[index];
  });
}
