// `npm run call-path [-- --files]`: how many files and modules a call passes through, from `POST /api/calls` to the
// webhook that is delivered about it.
//
// Steps hand the call on by rows and requests, so the path has legs, each from the file where it begins to the file where
// it hands on. A file is on a leg if imports lead from the beginning to it, and from it to the end. Imports of types alone
// do not count, since nothing runs by them; a part that the composition root hands in is followed like an import
// (HANDED_IN). A change of module is a pair of modules of which one imports the other on the path.
//
// Not on the path, but opened by whoever follows it: files that those on it import directly (schemas, rows, words of the
// kernel). They are counted besides. What is behind them, and the server, the store and speech, are not.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src/', import.meta.url));

const LEGS = [
  ['the request is accepted', 'http/routes/calls.ts', 'events/outbox.ts'],
  ['the call is dialled', 'calls/dialling/dialler.ts', 'telephony/wire/carrier-http.ts', 'events/outbox.ts'],
  ['the carrier reports', 'http/routes/carrier-webhooks.ts', 'events/outbox.ts'],
  ['the agent talks', 'ws/audio-socket.ts', 'conversation/live-conversation.ts'],
  ['the call ends', 'calls/live/sessions/live-session.ts', 'events/outbox.ts'],
  ['its event is delivered', 'webhooks/deliveries/sender.ts', 'outbound-http/send.ts'],
];
/** Parts that are handed in rather than imported; Twilio stands for all carriers. */
const HANDED_IN = {
  'http/routes/calls.ts': ['calls/calls.ts'],
  'calls/dialling/call-placer.ts': ['telephony/carriers/twilio/twilio-api.ts'],
  'telephony/carriers/twilio/twilio-api.ts': ['telephony/wire/carrier-http.ts'],
  'telephony/carrier-webhook-dispatcher.ts': ['calls/reports/carrier-reports.ts'],
  'calls/reports/carrier-reports.ts': ['calls/endings/call-endings.ts'],
  'ws/audio-socket.ts': ['calls/live/streams/audio-streams.ts'],
  'calls/live/streams/audio-streams.ts': ['conversation/start-conversation.ts'],
  'calls/live/sessions/live-session.ts': ['calls/endings/call-endings.ts'],
  'webhooks/deliveries/sender.ts': ['webhooks/deliveries/delivery-attempter.ts'],
  'webhooks/deliveries/delivery-attempter.ts': ['webhooks/deliveries/http-attempt.ts'],
};

const files = readdirSync(src, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));
const known = new Set(files);

/** Files that a file imports something to run from. */
function importsOf(file) {
  const text = readFileSync(join(src, file), 'utf8');
  const found = text.matchAll(/^(?:import|export) (?!type\b)([^;]*?)\bfrom '([^']+)';/gms);
  return [...found].flatMap(([, names, from]) => {
    if (
      /^\{[^}]*\}\s*$/.test(names) &&
      names
        .replace(/[{}\s]/g, ' ')
        .split(',')
        .every((name) => /^\s*(type\s|$)/.test(name))
    )
      return [];
    const path = from.startsWith('#') ? from.slice(1) : posix.join(posix.dirname(file), from);
    const target = path.replace(/\.js$/, '.ts');
    return known.has(target) ? [target] : [];
  });
}

const imports = new Map(files.map((file) => [file, [...importsOf(file), ...(HANDED_IN[file] ?? [])]]));
const importers = new Map(files.map((file) => [file, []]));
for (const [file, targets] of imports) for (const target of targets) importers.get(target).push(file);

function reachable(from, edges) {
  const seen = new Set([from]);
  for (const file of seen) for (const next of edges.get(file) ?? []) seen.add(next);
  return seen;
}

const moduleOf = (file) => file.split('/')[0];
const onPath = new Set();
const crossings = new Set();
for (const [what, from, ...ends] of LEGS) {
  const back = new Set(ends.flatMap((end) => [...reachable(end, importers)]));
  const leg = [...reachable(from, imports)].filter((file) => back.has(file));
  if (ends.some((end) => !leg.includes(end))) throw new Error(`not all ends of ${from} can be reached`);
  for (const file of leg) {
    onPath.add(file);
    for (const target of imports.get(file))
      if (leg.includes(target) && moduleOf(target) !== moduleOf(file))
        crossings.add(`${moduleOf(file)} → ${moduleOf(target)}`);
  }
  console.log(`${String(leg.length).padStart(4)} files: ${what} (${from} … ${ends.join(', ')})`);
}
const opened = new Set([...onPath].flatMap((file) => [file, ...imports.get(file)]));
if (process.argv.includes('--files')) console.log([...onPath].sort().join('\n'));
console.log(`\n${onPath.size} files on the path, ${opened.size} with those that they import directly`);
console.log(`${crossings.size} changes of module on the path: ${[...crossings].sort().join(', ')}`);
