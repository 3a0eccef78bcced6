// `npm run count [-- COMMIT]`: lines and files of the modules that stood at a base commit, then and now.
//
// - Counted are all lines (with comments and blank lines) of TypeScript in src/ and test/ that git tracks, and the
//   phrase tables (YAML), which were TypeScript at the base commit.
// - What was built since for features that did not exist at the base is listed in NEW and reported apart. Everything
//   else counts as a successor, wherever it stands now: moved, split, merged, or new files in an old module. A feature
//   that was built into an old file counts against its module, too.
// - NEW names paths as they stood at the commit LISTED; files that were renamed after it are followed by git. A file that
//   git traces from LISTED to the base (a rename with at least 40 % of the same lines) is never new.
// - "Now" is the working tree without untracked files; with COMMIT, that commit.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const BASE = 'f8eeabc5';
const LISTED = 'a146d9fb';
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const [now] = process.argv.slice(2);

/** What the service could not do at the base commit, and the paths that hold it (src/ and test/ alike). */
const NEW = [
  [
    'language models as agents, their tools',
    /\/dialogue\/|model|complaints\/|tool-(test|parts|event|called|steps|requests)|hostile-texts|\/agent-(prompt|trials)|require-(agent-tools|providers)|(needed|missing)-variables|talk-step|talk-checks|variable-checks|agent-tool-checks|random-talk|(tool|talk|press)-performer|performe(d-steps|r)|performing|step-(memory|run)|talk-visit|collected-answers|outside-steps|filled-variables|own-tools|caller-control|speech-to-speech/,
  ],
  [
    'providers of speech and models',
    /\/providers\/(?!builtin\/)|outbound-http\/(fetch|socket)|vendor|provider|voices|voice-settings|stt-|-stt\b|outages|aligned-words|sentence-stream|streaming|emulators\/(speech|voices)|recognisers|sound-decoder|stream-repairs|replayed-stream|spoken-words/,
  ],
  ['speech-to-speech', /realtime/],
  [
    'agents in six languages',
    /\/language\/languages\/|\/unit\/language\/|spoken-languages|by-lists|(given-value|spoken-language|spoken-in-language|call-languages?|language-command)\.|cli\/language|test\/phrases\/(?!en)/,
  ],
  ['secrets', /\/secrets/],
  [
    'console, its live stream and sessions',
    /\/console|\/live\/(?=[^/]+$)|routes\/(live|overview|setup|console-\w+)|live-stream|\/sessions\/session|session-cookie|overview|setup-items|http\/setup\.test|waterfall|waveform|one-channel|recording-(channel|object)|turn-waterfall/,
  ],
  [
    "listening in, whisper, speaking in the agent's place",
    /steer|operator\.|whisper|(listen|speak)-socket|audio-tap|live\/actions\/|live-actions|actions-elsewhere/,
  ],
  ['warm transfer', /transfer-|transfers|hold-(loop|sound)|other-line|relay|joined-lines|passed-on/],
  [
    'recordings in object storage',
    /object-stor|s3|object-signatures|recording-(parts|moves|takeover|faults|side)|part-uploads|(move|stored)-recordings|(discard|fetch)-object|storage-backlog|upload-kill/,
  ],
  ['what calls cost', /\/costs\/|cost-of-call|call-cost|carrier-prices|\/prices|dollars|budget/],
  [
    'several processes over PostgreSQL',
    /store\/postgres\/(lock-table|message-writer|notice-listener|pipeline|shared-transaction)|notify|carried-elsewhere|fleet|shared-calls|postgres-(notices|crowded)|lock-table|message-writer|folder-id|\/folders\.|call-sockets/,
  ],
  ['DTMF tones in the sound', /detecting\/dtmf/],
  ['talk in the terminal', /cli\/(talk|typed-talk|line-reader)|typed-five-turns/],
  ['warnings about requests and misspelt fields', /request-warnings|known-fields|openapi-warnings/],
];

/** The module of the base commit that a folder came from. */
const CAME_FROM = {
  speech: /^(speech|playbook|analysis|language|providers)$/,
  webhooks: /^(webhooks|outbound-http)$/,
  http: /^(http|metrics|idempotency)$/,
  calls: /^(calls|operations)$/,
  'cli and app': /^(cli|app|commands)$|\.ts$/,
};

const print = (text) => process.stdout.write(`${text}\n`);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

/**
 * All lines, and those without comments and blank lines, by path.
 * @returns {Map<string, [lines: number, code: number]>}
 */
function linesAt(commit) {
  const target = commit ? [commit] : [];
  const rows = git('diff', '--no-renames', '--numstat', EMPTY_TREE, ...target, '--', 'src', 'test').split(
    '\n',
  );
  const codeRows = git('grep', '-cvE', '^\\s*(//|/?\\*|$)', ...target, '--', 'src', 'test').split('\n');
  const code = new Map(
    codeRows.map((row) => {
      const [path, count] = row.split(':').slice(-2);
      return [path, Number(count)];
    }),
  );
  return new Map(
    rows.flatMap((row) => {
      const [lines, , path] = row.split('\t');
      const isCounted = path && /\.ts$|^test\/phrases\//.test(path);
      return isCounted ? [[path, [Number(lines), code.get(path) ?? 0]]] : [];
    }),
  );
}

/** Renames from one commit to another (default: the working tree). @returns {Map<string, string>} old path by new path */
function renames(from, to) {
  const target = to ? [to] : [];
  const rows = git('diff', '-l0', '-M40%', '--name-status', from, ...target, '--', 'src', 'test');
  return new Map(
    rows.split('\n').flatMap((row) => {
      const [kind, before, after] = row.split('\t');
      return kind.startsWith('R') ? [[after, before]] : [];
    }),
  );
}

function moduleOf(path) {
  const [top, folder] = path.split('/');
  if (top === 'test') return `test/${folder}`;
  const known = Object.entries(CAME_FROM).find(([, folders]) => folders.test(folder));
  return known ? known[0] : folder;
}

const then = linesAt(BASE);
const present = linesAt(now);
const old = renames(BASE, LISTED);
const listedAs = renames(LISTED, now);
const table = new Map();
const fresh = new Map();
const add = (map, key, field, [lines, code]) => {
  const row = map.get(key) ?? { before: [0, 0, 0], after: [0, 0, 0] };
  row[field][0] += lines;
  row[field][1] += 1;
  row[field][2] += code;
  map.set(key, row);
};
for (const [path, lines] of then) add(table, moduleOf(path), 'before', lines);
for (const [path, lines] of present) {
  const listed = listedAs.get(path) ?? path;
  const isNew = !then.has(listed) && !old.has(listed) && NEW.find(([, paths]) => paths.test(listed));
  if (isNew) add(fresh, `${path.split('/')[0].padEnd(4)} ${isNew[0]}`, 'after', lines);
  else add(table, moduleOf(path), 'after', lines);
}

const cell = (value, width = 9) => value.toLocaleString('en').padStart(width);
const signed = (value) => `${value > 0 ? '+' : ''}${value.toLocaleString('en')}`.padStart(9);
function printRow(name, { before, after }) {
  const cells = before.map((value, index) => cell(value) + cell(after[index]) + signed(after[index] - value));
  print(name.padEnd(15) + cells.join(' '));
}
const sum = (rows) =>
  rows.reduce(
    (all, row) => ({
      before: all.before.map((value, index) => value + row.before[index]),
      after: all.after.map((value, index) => value + row.after[index]),
    }),
    { before: [0, 0, 0], after: [0, 0, 0] },
  );

print(`Modules that stood at ${BASE}: lines, files, and lines without comments: then, now and difference\n`);
for (const title of ['src', 'test']) {
  const rows = [...table]
    .filter(([name]) => name.startsWith('test/') === (title === 'test'))
    .sort(([a], [b]) => a.localeCompare(b));
  for (const [name, row] of rows) printRow(name, row);
  printRow(`${title} in all`, sum(rows.map(([, row]) => row)));
  print('');
}
print('Built since, not counted above (lines, files):\n');
for (const [name, row] of [...fresh].sort(([a], [b]) => a.localeCompare(b)))
  print(`${name.padEnd(66)}${cell(row.after[0])}${cell(row.after[1], 6)}`);
