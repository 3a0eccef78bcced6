import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALLOWED_IMPORTS, LAYERS } from '#test/support/floor-plan.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** APIs that only some files may use, and what to use instead. */
const RESTRICTED: { api: RegExp; allowedIn: RegExp; instead: string }[] = [
  { api: /\bprocess\.[a-z]/, allowedIn: /^(main|cli)\.ts$/, instead: 'a parameter' },
  {
    api: /\bDate\.now\b|\bnew Date\(|\bperformance\b/,
    allowedIn: /^kernel\/time\/clock\.ts$/,
    instead: 'Clock',
  },
  { api: /\bset(Timeout|Interval)\b/, allowedIn: /^kernel\/time\/clock\.ts$/, instead: 'Clock' },
  {
    api: /\bMath\.random\b|\brandom(Bytes|UUID|Int)\b|'uuid'/,
    allowedIn: /^kernel\/ids\/ids\.ts$/,
    instead: 'Ids',
  },
  { api: /'(better-sqlite3|pg)'/, allowedIn: /^store\//, instead: 'the port Store' },
  { api: /'undici'/, allowedIn: /^outbound-http\//, instead: 'HttpPool' },
  // Each entry of the library loads its own set of numbering plans: one set is enough.
  { api: /import (?!type\b)[^;]*'libphonenumber-js'/, allowedIn: /^$/, instead: 'libphonenumber-js/max' },
  { api: /\bconsole\.[a-z]+\(/, allowedIn: /^$/, instead: 'Log' },
];

/** Tests that need real time, and why. */
const IN_REAL_TIME: Record<string, string> = {
  'unit/kernel/clock.test.ts': 'the clock of the machine is what it tests',
  'slow/crash/schedule-kill.test.ts': 'real processes that are killed at a moment of their work',
  'slow/load/slow-clients.test.ts': 'a client that drips its bytes to a real server',
  'slow/crash/dial-kill.test.ts': 'real processes are killed at random instants',
  'slow/crash/shared-calls.test.ts': 'real processes and a real server are harmed at random instants',
  'support/fleet.ts': 'a real process stands still, and one that was killed is asked again',
  'slow/engines/postgres-silence.test.ts': 'a crowd that comes while another one waits for a silent server',
  'slow/crash/database-crash.test.ts': 'a real server is away for some time',
  'support/call-load.ts': 'a real process stands still for longer than a lease',
  'support/loop-monitor.ts': 'how long the real event loop is held up',
  'support/virtual-clock.ts': 'it looks every millisecond whether a thread still owes an answer',
  'slow/real-time/sandbox-stream.test.ts': 'the pace of the sound on a real socket is what it tests',
  'slow/real-time/sandbox-load.test.ts': 'many real sockets at the pace of their sound',
  'slow/load/abuse.test.ts': 'a real server cuts off real peers, but for the one wait that is not',
  'integration/webhooks/receivers.test.ts': 'Node waits for a connection that the system is slow to make',
  'unit/telephony/carrier-http.test.ts': 'Node waits for a connection that the system is slow to make',
};

const LONGEST_FILE_LINES = 400;
const WIDEST_COMMENT_COLUMNS = 120;

/**
 * A source file, its code without comments, and its imports inside the project (paths below `src`, without an ending).
 */
interface Source {
  path: string;
  code: string;
  lines: string[];
  imports: string[];
  /** The imports that are not type-only. */
  loads: string[];
}

function readSources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => {
      const text = readFileSync(join(ROOT, folder, path), 'utf8');
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
      const statements = [
        ...code.matchAll(/(import type [^;]*?|\b)(?:\bfrom|\bimport\(?)\s*'((?:\.|#)[^']+)\.js'/g),
      ];
      const targets = statements.map(([, typeOnly, specifier]) => ({
        target: specifier!.startsWith('#') ? specifier!.slice(1) : normalize(join(dirname(path), specifier!)),
        isLoaded: typeOnly === '',
      }));
      return {
        path,
        code,
        lines: text.trimEnd().split('\n'),
        imports: targets.map(({ target }) => target),
        loads: targets.filter(({ isLoaded }) => isLoaded).map(({ target }) => target),
      };
    });
}

const sources = readSources('src');
const moduleOf = (path: string) => (path.includes('/') ? path.split('/')[0]! : '');
const modules = [...new Set(sources.map(({ path }) => moduleOf(path)))]
  .filter((module) => module !== '')
  .sort();

/** All imports between modules. */
const crossings = sources.flatMap((source) =>
  source.imports
    .filter((target) => moduleOf(target) !== moduleOf(source.path))
    .map((target) => ({ from: source.path, module: moduleOf(source.path), target })),
);

function allowanceOf({ module, target }: { module: string; target: string }): string | undefined {
  const allowed = ALLOWED_IMPORTS[module] ?? {};
  return [target, moduleOf(target)].find((name) => allowed[name] !== undefined);
}

describe('modules', () => {
  it('are all read', () => {
    expect(sources.length).toBeGreaterThan(150);
    expect(crossings.length).toBeGreaterThan(200);
    expect(modules).toEqual([...Object.keys(ALLOWED_IMPORTS), 'app'].sort());
    for (const module of modules) {
      const inModule = sources.filter(({ path }) => moduleOf(path) === module);
      expect(inModule.length, `files in ${module}`).toBeGreaterThan(0);
    }
  });

  it('import only what the plan allows', () => {
    const trespasses = crossings
      .filter(
        ({ module, target }) =>
          module !== '' &&
          module !== 'app' &&
          moduleOf(target) !== 'kernel' &&
          !allowanceOf({ module, target }),
      )
      .map(({ from, target }) => `${from} → ${target}`);

    expect(trespasses).toEqual([]);
  });

  it('use every import that the plan allows', () => {
    const used = new Set(crossings.map((crossing) => `${crossing.module} → ${allowanceOf(crossing)}`));
    const given = Object.entries(ALLOWED_IMPORTS).flatMap(([module, allowed]) =>
      Object.keys(allowed).map((target) => `${module} → ${target}`),
    );

    expect(given.filter((crossing) => !used.has(crossing))).toEqual([]);
  });

  it('have no circular imports', () => {
    const graph = new Map(sources.map(({ path, loads }) => [path.slice(0, -'.ts'.length), loads]));

    expect(circlesIn(graph)).toEqual([]);
  });

  it.each(Object.entries(LAYERS))(
    'have layers: each of %s imports only from those below it',
    (module, duties) => {
      const layers = Object.keys(duties);
      const isWithin = (path: string) => path.startsWith(`${module}/`);
      const layerOf = (path: string) => layers.indexOf(path.slice(module.length + 1).split('/')[0]!);
      const inLayers = sources.filter(({ path }) => isWithin(path) && layerOf(path) >= 0);
      const upward = inLayers.flatMap(({ path, imports }) =>
        imports
          .filter(isWithin)
          .filter((target) => layerOf(target) < 0 || layerOf(target) > layerOf(path))
          .map((target) => `${path} → ${target}`),
      );

      expect(new Set(inLayers.map(({ path }) => layerOf(path))).size).toBe(layers.length);
      expect(upward).toEqual([]);
    },
  );

  it('are what docs/architecture.md shows, with their layers and the files beside them', () => {
    const { files, layersByModule } = readModulePlan();

    expect(files).toEqual(sources.map(({ path }) => path).filter((path) => !path.includes('/')));
    expect([...layersByModule.keys()].filter((module) => !module.includes('/')).sort()).toEqual(modules);
    const withLayers = [...layersByModule].filter(([, layers]) => layers.length > 0);
    expect(Object.fromEntries(withLayers)).toEqual(
      Object.fromEntries(Object.entries(LAYERS).map(([module, duties]) => [module, Object.keys(duties)])),
    );
  });
});

describe('restricted APIs', () => {
  it.each(RESTRICTED)('$api is used only in $allowedIn; elsewhere: $instead', ({ api, allowedIn }) => {
    const elsewhere = sources
      .filter(({ path, code }) => !allowedIn.test(path) && api.test(code))
      .map(({ path }) => path);

    expect(elsewhere).toEqual([]);
  });
});

describe('files', () => {
  const all = ['src', 'test', 'bench'].flatMap((folder) =>
    readSources(folder).map((source) => ({ ...source, path: `${folder}/${source.path}` })),
  );

  it(`have at most ${LONGEST_FILE_LINES} lines`, () => {
    const long = all.filter(({ lines }) => lines.length > LONGEST_FILE_LINES);

    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it(`have comments of at most ${WIDEST_COMMENT_COLUMNS} columns`, () => {
    const isWide = (line: string) => line.length > WIDEST_COMMENT_COLUMNS && /^\s*(\/\/|\/?\*+ )/.test(line);
    const wide = all.flatMap(({ path, lines }) =>
      lines.filter(isWide).map((line) => `${path}: ${line.trim()}`),
    );

    expect(wide).toEqual([]);
  });

  it('have no default export', () => {
    expect(all.filter(({ code }) => /^export default\b/m.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('are no barrels and have no meaningless names', () => {
    const empty = /(^|\/)(index|utils?|helpers?|common|misc|shared)(\.ts|\/)/;

    expect(all.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([]);
    expect(all.filter(({ code }) => /^export \* from/m.test(code)).map(({ path }) => path)).toEqual([]);
  });
});

describe('tests', () => {
  const tests = readSources('test').filter(({ path }) => !path.endsWith('architecture.test.ts'));

  it('replace parts, never modules', () => {
    expect(tests.length).toBeGreaterThan(20);
    expect(
      tests.filter(({ code }) => /\bvi\.(mock|doMock|stubGlobal)\(/.test(code)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('wait for events, never for time to pass', () => {
    const sleeping =
      /\bset(Timeout|Interval)\b|\bsleep\(systemClock|\bsystemClock\.after\b|\bslowedClock\(systemClock/;
    const found = tests.filter(({ code }) => sleeping.test(code)).map(({ path }) => path);

    expect(found.sort()).toEqual(Object.keys(IN_REAL_TIME).sort());
  });
});

/** `src` as docs/architecture.md shows it: the files of its root, and the layers of every module. */
function readModulePlan(): { files: string[]; layersByModule: Map<string, string[]> } {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const plan = /## Modules\n[\s\S]*?```\nsrc\/\n([\s\S]*?)\n(?! )/.exec(page)?.[1] ?? '';
  const files: string[] = [];
  const layersByModule = new Map<string, string[]>();
  for (const [entry] of plan.matchAll(/^ {2}\S[^\n]*(?:\n {3,}[^\n]*)*/gm)) {
    const module = /^ {2}([a-z-]+)\//.exec(entry)?.[1];
    if (module === undefined) files.push(...(entry.match(/[a-z-]+\.ts/g) ?? []));
    else layersByModule.set(module, []);
    const lists = entry.matchAll(/^ *(?:(\S+)\/ )?from the ground up: ([a-z-]+(?:,\s+[a-z-]+)*)/gm);
    for (const [, within, layers] of lists)
      layersByModule.set(within === undefined ? module! : `${module}/${within}`, layers!.split(/,\s+/));
  }
  return { files: files.sort(), layersByModule };
}

/** All circular imports, each as `a → b → a`. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file);
    if (at >= 0) circles.add([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return [...circles];
}
