import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who may import whom, and why: downwards only. A right is given to a room, or to one file of it. Every room may use
 * itself and `kernel`; the root of `src` (the process and the composition root) may use every room, and no room may
 * use the root.
 */
const RIGHTS: Record<string, Record<string, string>> = {
  kernel: {},
  store: {},
  events: { store: 'an event is a row of the outbox' },
  media: {},
  speech: { media: 'speech is samples at a rate' },
  access: { store: 'keys, tokens and kept answers are rows' },
  agents: {
    store: 'agents and numbers are rows',
    speech: 'an agent names its providers and carries a playbook',
    access: 'an agent belongs to a workspace',
  },
  policy: {
    store: 'the suppression list and what was decided are rows',
    access: 'the answer to a repeated request is kept with what it did',
  },
  telephony: {
    media: 'the callees of the sandbox send and receive sound',
    speech: 'the callees of the sandbox talk',
  },
  conversation: {
    media: 'a conversation is samples in and frames out',
    speech: 'it hears, thinks and speaks through the three ports',
  },
  calls: {
    store: 'calls are rows',
    events: 'what happens to a call is announced in the same transaction',
    access: 'a socket carries a call by the right of somebody',
    agents: 'somebody has to answer',
    policy: 'whether a number may be dialled is asked in the same transaction',
    telephony: 'a call is placed with a carrier',
    conversation: 'an answered call becomes a conversation',
    media: 'a call is recorded',
    speech: 'a talk is summed up',
  },
  schedules: {
    store: 'schedules and their executions are rows',
    events: 'a run is told to whoever asked, in the same transaction',
    access: 'the answer of a request that may be repeated is kept',
    agents: 'somebody has to talk',
    policy: 'what it says to a plan is kept, and who may not be called is planned no longer',
    calls: 'every attempt of a run is a call',
  },
  batches: {
    store: 'batches and their numbers are rows',
    events: 'what happens to a batch is announced in the same transaction',
    access: 'the answer of a request that may be repeated is kept',
    agents: 'somebody has to talk',
    policy: 'a number is called when it may be',
    calls: 'every attempt at a number is a call',
    schedules: 'a handle may name a schedule; attempts follow the same rules',
  },
  webhooks: {
    store: 'registrations and deliveries are rows',
    events: 'a delivery carries an event of the outbox',
    access: 'the answer of a request that may be repeated is kept',
  },
  http: {
    store: 'lists are pages with a cursor; replayed answers are rows',
    access: 'requests carry credentials',
    agents: 'the interface to agents and numbers',
    calls: 'the interface to calls',
    policy: 'the interface to the suppression list and to what was decided',
    telephony: 'carriers send their requests over HTTP',
    schedules: 'the interface to schedules',
    batches: 'the interface to batches',
    events: 'what can be subscribed to',
    webhooks: 'the interface to webhooks',
  },
  ws: {
    access: 'sockets carry credentials',
    calls: 'a socket is bound to a live call',
    conversation: 'a socket is the line of a conversation',
    media: 'a socket speaks a stream protocol',
  },
  commands: {
    access: 'keys can be made without a running service',
    store: 'the database can be brought up to date, copied and restored',
    batches: 'after a restore those that were under way are held',
    speech: 'the doctor speaks and listens',
    config: 'commands follow the same settings as the service',
    demo: 'the demonstration can be had alone',
    app: 'the demonstration needs the whole house',
    webhooks: 'a receiver to try with checks signatures as receivers do',
  },
};

/** Words that have one home: who alone may say them, and what to use instead. */
const HOMES: { word: RegExp; homes: RegExp; instead: string }[] = [
  { word: /\bprocess\.[a-z]/, homes: /^(main|cli)\.ts$/, instead: 'hand in what is needed' },
  { word: /\bDate\.now\b|\bnew Date\(|\bperformance\b/, homes: /^kernel\/clock\.ts$/, instead: 'Clock' },
  { word: /\bset(Timeout|Interval)\b/, homes: /^kernel\/clock\.ts$/, instead: 'Clock' },
  { word: /\bMath\.random\b|\brandom(Bytes|UUID|Int)\b|'uuid'/, homes: /^kernel\/ids\.ts$/, instead: 'Ids' },
  { word: /'(better-sqlite3|pg)'/, homes: /^store\//, instead: 'the port Store' },
  { word: /'undici'/, homes: /^(webhooks|telephony|speech)\//, instead: 'an adapter' },
  // Each set of numbering plans is loaded beside the other: one is enough.
  { word: /import (?!type\b)[^;]*'libphonenumber-js'/, homes: /^$/, instead: 'libphonenumber-js/max' },
  { word: /\bconsole\.[a-z]+\(/, homes: /^$/, instead: 'Log' },
];

/** Tests that need real time, and why. */
const IN_REAL_TIME: Record<string, string> = {
  'unit/kernel/clock.test.ts': 'the clock of the machine is what it tests',
  'crash/schedule-kill.test.ts': 'real processes that are killed at a moment of their work',
  'integration/http/slow-clients.test.ts': 'a client that drips its bytes to a real server',
  'crash/dial-kill.test.ts': 'real processes are killed at random instants',
  'support/siege.ts': 'a real process stands still for longer than a lease',
};

const LONGEST_FILE_LINES = 300;

/** A source file without its comments, and what it imports of ours (paths below `src`, without an ending). */
interface Source {
  path: string;
  code: string;
  lines: number;
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
        ...code.matchAll(/(import type [^;]*?|\b)(?:\bfrom|\bimport\()\s*'(\.[^']+)\.js'/g),
      ];
      const targets = statements.map(([, typeOnly, specifier]) => ({
        target: normalize(join(dirname(path), specifier!)),
        isLoaded: typeOnly === '',
      }));
      return {
        path,
        code,
        lines: text.split('\n').length - 1,
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
    expect(rooms).toEqual(Object.keys(RIGHTS).sort());
    for (const room of rooms) {
      const inRoom = sources.filter(({ path }) => roomOf(path) === room);
      expect(inRoom.length, `files in ${room}`).toBeGreaterThan(1);
    }
  });

  it('import only what they have a right to', () => {
    const trespasses = crossings
      .filter(({ room, target }) => room !== '' && roomOf(target) !== 'kernel' && !rightOf({ room, target }))
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

  it('are what the floor plan of the README shows', () => {
    const plan = /## Floor plan\n[\s\S]*?```\n([\s\S]*?)```/.exec(
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
    )?.[1];
    const shown = [...(plan ?? '').matchAll(/^ {2}([a-z]+)\/ /gm)].map((match) => match[1]);

    expect(new Set(shown)).toEqual(new Set(rooms));
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
    expect(all.filter(({ lines }) => lines > LONGEST_FILE_LINES).map(({ path }) => path)).toEqual([]);
  });

  it('have no default export', () => {
    expect(all.filter(({ code }) => /^export default\b/m.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('are no barrels and have no names that say nothing', () => {
    const empty = /(^|\/)(index|utils?|helpers?|common|misc|shared)(\.ts|\/)/;

    expect(all.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([]);
    expect(all.filter(({ code }) => /^export \* from/m.test(code)).map(({ path }) => path)).toEqual([]);
  });

  it('that declare units of work are loaded by the threads of the store', () => {
    const listed = readFileSync(join(ROOT, 'src/unit-modules.ts'), 'utf8');
    const declaring = sources.filter(
      ({ code, path }) => /\bdefineUnits\(/.test(code) && path !== 'store/unit.ts',
    );

    expect(declaring.length).toBeGreaterThan(5);
    expect(
      declaring.map(({ path }) => path).filter((path) => !listed.includes(path.replace('.ts', '.js'))),
    ).toEqual([]);
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
    const sleeping = /\bset(Timeout|Interval)\b|\bsleep\(systemClock/;
    const found = tests.filter(({ code }) => sleeping.test(code)).map(({ path }) => path);

    expect(found.filter((path) => IN_REAL_TIME[path] === undefined)).toEqual([]);
  });
});

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
