// One set-up at a time in a folder, however many commands are started at once.
//
// Every holder has a file with a number in the lock's folder, and the highest number is the lock. Taking over means
// creating the next number, which only one process can; so a holder that died is replaced without a moment in which
// two believe they hold it. Nothing ever deletes the highest file.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
/** A holder that cannot be asked (another machine, another container) counts as dead when silent for this long. */
const SILENCE_MS = 60_000;
const POLL_MS = 100;
const RELEASED = 'released';

/**
 * Runs `task` while no other process runs one under the same folder.
 * @param {string} folder
 * @param {{ task: () => Promise<void>, onWait: () => void }} options
 */
export async function withSetupLock(folder, { task, onWait }) {
  mkdirSync(folder, { recursive: true });
  let waited = false;
  let mine = take(folder);
  while (mine === null) {
    if (!waited) onWait();
    waited = true;
    await sleep(POLL_MS);
    mine = take(folder);
  }
  const heartbeat = setInterval(() => utimesSync(mine, new Date(), new Date()), HEARTBEAT_MS);
  try {
    await task();
  } finally {
    clearInterval(heartbeat);
    writeFileSync(mine, RELEASED);
  }
}

/** The path of our own file once we hold the lock, null while another does. */
function take(folder) {
  const highest = Math.max(0, ...numbersIn(folder));
  if (highest > 0 && isHeld(join(folder, String(highest)))) return null;
  const mine = join(folder, String(highest + 1));
  try {
    writeFileSync(mine, JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx' });
  } catch (error) {
    if (error.code === 'EEXIST') return null;
    throw error;
  }
  const others = numbersIn(folder).filter((number) => number !== highest + 1);
  if (others.some((number) => number > highest + 1)) {
    rmSync(mine, { force: true });
    return null;
  }
  for (const number of others) rmSync(join(folder, String(number)), { force: true });
  return mine;
}

function numbersIn(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function isHeld(file) {
  try {
    const text = readFileSync(file, 'utf8');
    const silentMs = Date.now() - statSync(file).mtimeMs;
    if (text === RELEASED || silentMs > SILENCE_MS) return false;
    // Empty for the instant between creating and writing it.
    if (text === '') return true;
    const { pid, host } = JSON.parse(text);
    return host !== hostname() || isAlive(pid);
  } catch (error) {
    if (error.code === 'ENOENT') return existsSync(file);
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
