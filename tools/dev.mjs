// `npm run dev`: the service, rebuilt and started again whenever a file under src/ changes; the console is rebuilt when
// one of its own does, and open pages load themselves again. The service has a build of its own, dist.dev/, so that tests
// and `npm start` go on with theirs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setUpToRun } from './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist.dev');

/** An editor writes a file in several steps, and a branch is changed file by file. */
const QUIET_MS = 30;

/** How long the service may take to end before it is killed. */
const STOP_TIMEOUT_MS = 2_000;

/** Ends the service in order when this process is gone, however that went. */
const END_WITH_PARENT = `data:text/javascript,process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))`;

await setUpToRun();
// The bundler is there from here on only.
const { createDevBundle } = await import('./dev-bundle.mjs');
const { buildConsole } = await import('./build-console.mjs');
const bundle = createDevBundle(outdir);

let service = null;
let isFirstStart = true;
const stopping = new AbortController();
/** Set by a change, taken by the loop: changes that come while it builds are one further round. */
let isChanged = true;
let wake = () => {};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping.abort();
    wake();
  });
}
const watcher = watch(join(root, 'src'), { recursive: true }, () => {
  isChanged = true;
  wake();
});
const consoleWatcher = watch(join(root, 'console'), { recursive: true }, () => void rebuildConsole());
let isConsoleChanged = false;
let consoleBuild = null;
await rebuildConsole();

while (!stopping.signal.aborted) {
  if (isChanged) await rebuildAndRestart();
  else await new Promise((resolve) => (wake = resolve));
}
watcher.close();
consoleWatcher.close();
await stopService();
rmSync(outdir, { recursive: true, force: true });
process.exit(0);

async function rebuildAndRestart() {
  if (!isFirstStart) await sleep(QUIET_MS);
  isChanged = false;
  const savedAtMs = performance.now();
  const isBuilt = await rebuild();
  if (isChanged || stopping.signal.aborted) return;
  if (!isBuilt) return say('The sources cannot be compiled; waiting for a change …');
  if (!isFirstStart) say(`Rebuilt in ${Math.round(performance.now() - savedAtMs)} ms; starting again …`);
  await stopService();
  bundle.removeLeftovers();
  if (!stopping.signal.aborted) startService();
}

/** One build at a time; a change meanwhile is one further build. An error stands in the terminal already. */
async function rebuildConsole() {
  isConsoleChanged = true;
  if (consoleBuild) return consoleBuild;
  while (isConsoleChanged) {
    isConsoleChanged = false;
    consoleBuild = buildConsole(join(root, 'dist', 'console'), { reloads: true }).catch(() => {});
    await consoleBuild;
    consoleBuild = null;
  }
}

/** Ctrl-C ends the bundler at the same moment as it asks us to stop: its complaint about that is no error. */
async function rebuild() {
  try {
    return await bundle.rebuild();
  } catch (error) {
    await sleep(QUIET_MS);
    if (stopping.signal.aborted) return false;
    throw error;
  }
}

function startService() {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, join(outdir, 'main.js')], {
    cwd: root,
    // Live calls are not waited for, and one demonstration is enough.
    env: { ...process.env, DRAIN_TIMEOUT_SECONDS: '0', ...(isFirstStart ? {} : { DEMO: 'off' }) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  isFirstStart = false;
  service = child;
  child.on('exit', (code, signal) => {
    if (service !== child) return;
    service = null;
    if (!stopping.signal.aborted) say(`The service ended (${signal ?? code}); waiting for a change …`);
  });
}

async function stopService() {
  const child = service;
  if (child === null) return;
  service = null;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const overdue = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(overdue);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
