import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FLOORS, RIGHTS } from '#test/support/floor-plan.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Words that have one home: who alone may say them, and what to use instead. */
const HOMES: { word: RegExp; homes: RegExp; instead: string }[] = [
  { word: /\bprocess\.[a-z]/, homes: /^(main|cli)\.ts$/, instead: 'hand in what is needed' },
  {
    word: /\bDate\.now\b|\bnew Date\(|\bperformance\b/,
    homes: /^kernel\/time\/clock\.ts$/,
    instead: 'Clock',
  },
  { word: /\bset(Timeout|Interval)\b/, homes: /^kernel\/time\/clock\.ts$/, instead: 'Clock' },
  {
    word: /\bMath\.random\b|\brandom(Bytes|UUID|Int)\b|'uuid'/,
    homes: /^kernel\/ids\/ids\.ts$/,
    instead: 'Ids',
  },
  { word: /'(better-sqlite3|pg)'/, homes: /^store\//, instead: 'the port Store' },
  { word: /'undici'/, homes: /^outbound-http\//, instead: 'HttpPool' },
  // Each set of numbering plans is loaded beside the other: one is enough.
  { word: /import (?!type\b)[^;]*'libphonenumber-js'/, homes: /^$/, instead: 'libphonenumber-js/max' },
  { word: /\bconsole\.[a-z]+\(/, homes: /^$/, instead: 'Log' },
];

/** Tests that need real time, and why. */
const IN_REAL_TIME: Record<string, string> = {
  'unit/kernel/clock.test.ts': 'the clock of the machine is what it tests',
  'slow/crash/schedule-kill.test.ts': 'real processes that are killed at a moment of their work',
  'slow/load/slow-clients.test.ts': 'a client that drips its bytes to a real server',
  'slow/crash/dial-kill.test.ts': 'real processes are killed at random instants',
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

/** A source file, also without its comments, and what it imports of ours (paths below `src`, without an ending). */
interface Source {
  path: string;
  code: string;
  lines: string[];
  imports: string[];
  /** Those of `imports` that are more than types: what is loaded when the file is. */
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
const roomOf = (path: string) => (path.includes('/') ? path.split('/')[0]! : '');
const rooms = [...new Set(sources.map(({ path }) => roomOf(path)))].filter((room) => room !== '').sort();

/** Every import that leaves a room, as the right it needs. */
const crossings = sources.flatMap((source) =>
  source.imports
    .filter((target) => roomOf(target) !== roomOf(source.path))
    .map((target) => ({ from: source.path, room: roomOf(source.path), target })),
);

function rightOf({ room, target }: { room: string; target: string }): string | undefined {
  const rights = RIGHTS[room] ?? {};
  return [target, roomOf(target)].find((name) => rights[name] !== undefined);
}

describe('rooms', () => {
  it('were all seen', () => {
    expect(sources.length).toBeGreaterThan(150);
    expect(crossings.length).toBeGreaterThan(200);
    expect(rooms).toEqual([...Object.keys(RIGHTS), 'app'].sort());
    for (const room of rooms) {
      const inRoom = sources.filter(({ path }) => roomOf(path) === room);
      expect(inRoom.length, `files in ${room}`).toBeGreaterThan(0);
    }
  });

  it('import only what they have a right to', () => {
    const trespasses = crossings
      .filter(
        ({ room, target }) =>
          room !== '' && room !== 'app' && roomOf(target) !== 'kernel' && !rightOf({ room, target }),
      )
      .map(({ from, target }) => `${from} → ${target}`);

    expect(trespasses).toEqual([]);
  });

  it('use every right they were given', () => {
    const used = new Set(crossings.map((crossing) => `${crossing.room} → ${rightOf(crossing)}`));
    const given = Object.entries(RIGHTS).flatMap(([room, rights]) =>
      Object.keys(rights).map((right) => `${room} → ${right}`),
    );

    expect(given.filter((right) => !used.has(right))).toEqual([]);
  });

  it('load one another in no circles', () => {
    const graph = new Map(sources.map(({ path, loads }) => [path.slice(0, -'.ts'.length), loads]));

    expect(circlesIn(graph)).toEqual([]);
  });

  it.each(Object.entries(FLOORS))('have floors: each of %s uses only those below it', (room, duties) => {
    const floors = Object.keys(duties);
    const isWithin = (path: string) => path.startsWith(`${room}/`);
    const floorOf = (path: string) => floors.indexOf(path.slice(room.length + 1).split('/')[0]!);
    const onFloors = sources.filter(({ path }) => isWithin(path) && floorOf(path) >= 0);
    const climbing = onFloors.flatMap(({ path, imports }) =>
      imports
        .filter(isWithin)
        .filter((target) => floorOf(target) < 0 || floorOf(target) > floorOf(path))
        .map((target) => `${path} → ${target}`),
    );

    expect(new Set(onFloors.map(({ path }) => floorOf(path))).size).toBe(floors.length);
    expect(climbing).toEqual([]);
  });

  it('are what docs/architecture.md shows, with their floors and the files beside them', () => {
    const { files, floorsByRoom } = readFloorPlan();

    expect(files).toEqual(sources.map(({ path }) => path).filter((path) => !path.includes('/')));
    expect([...floorsByRoom.keys()].filter((room) => !room.includes('/')).sort()).toEqual(rooms);
    const withFloors = [...floorsByRoom].filter(([, floors]) => floors.length > 0);
    expect(Object.fromEntries(withFloors)).toEqual(
      Object.fromEntries(Object.entries(FLOORS).map(([room, duties]) => [room, Object.keys(duties)])),
    );
  });
});

describe('words with one home', () => {
  it.each(HOMES)('$word is only said in $homes: elsewhere $instead', ({ word, homes }) => {
    const elsewhere = sources
      .filter(({ path, code }) => !homes.test(path) && word.test(code))
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

  it('are no barrels and have no names that say nothing', () => {
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
function readFloorPlan(): { files: string[]; floorsByRoom: Map<string, string[]> } {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const plan = /## Modules\n[\s\S]*?```\nsrc\/\n([\s\S]*?)\n(?! )/.exec(page)?.[1] ?? '';
  const files: string[] = [];
  const floorsByRoom = new Map<string, string[]>();
  for (const [entry] of plan.matchAll(/^ {2}\S[^\n]*(?:\n {3,}[^\n]*)*/gm)) {
    const room = /^ {2}([a-z-]+)\//.exec(entry)?.[1];
    if (room === undefined) files.push(...(entry.match(/[a-z-]+\.ts/g) ?? []));
    else floorsByRoom.set(room, []);
    const lists = entry.matchAll(/^ *(?:(\S+)\/ )?from the ground up: ([a-z-]+(?:,\s+[a-z-]+)*)/gm);
    for (const [, within, floors] of lists)
      floorsByRoom.set(within === undefined ? room! : `${room}/${within}`, floors!.split(/,\s+/));
  }
  return { files: files.sort(), floorsByRoom };
}

/** Every circle of imports, once, as `a → b → a`. */
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
