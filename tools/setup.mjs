// Makes a clone ready to run: installs the packages and builds dist/, and does neither when nothing changed.
// Runs on bare Node, before anything is installed, and may run several times at once.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildDist, isBuilt } from './build.mjs';
import { withSetupLock } from './setup-lock.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules', '.setup-stamp');
const LEAST_NODE = [20, 19];

/**
 * Where no compiled SQLite can be downloaded, npm compiles it, which takes most of an installation: on all processors,
 * at SQLite's own level of optimisation (-O3 is no faster, and takes longer).
 */
const COMPILER_ENVIRONMENT = { JOBS: 'max', CFLAGS: '-O2' };

/**
 * How much of package-lock.json a command needs: what the service is built of and runs on, or the tools of its tests
 * and checks as well. The second contains the first.
 */
const RUNTIME = 'runtime';
const DEVELOPMENT = 'development';

/**
 * Installs and builds what is missing or out of date. Says nothing when there is nothing to do.
 * @param {'runtime' | 'development'} extent
 */
async function setUp(extent) {
  refuseOldNode();
  if (isInstalled(extent) && isBuilt()) return;
  await withSetupLock(join(root, '.setup'), {
    onWait: () => say('Waiting for another command that is setting up this folder …'),
    async task() {
      if (!isInstalled(extent)) await install(extent);
      await compile();
    },
  });
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  fail(`Callwright needs Node ${LEAST_NODE.join('.')} or newer; this is ${process.version}.`);
}

/** Whether node_modules holds what package-lock.json asks for to this extent, on this Node. */
function isInstalled(extent) {
  const known = readStamp();
  const wanted = stampOf(extent);
  if (isSameInstallation(known, wanted) && (known.extent === extent || known.extent === DEVELOPMENT))
    return true;
  // Compiled packages fit one version of Node only; what npm installed by hand is taken to be of this one.
  if ((known && known.platform !== wanted.platform) || !isAsLocked(extent)) return false;
  // A stamp names the largest extent that was seen: a start after a test must not forget what the test needs.
  writeStamp(isAsLocked(DEVELOPMENT) ? DEVELOPMENT : extent);
  return true;
}

/** What the last set-up installed; null when there was none. A stamp without an extent is of a full installation. */
function readStamp() {
  if (!existsSync(stamp)) return null;
  const [platform, lockHash, extent = DEVELOPMENT] = readFileSync(stamp, 'utf8').split('\n');
  return { platform, lockHash, extent };
}

function stampOf(extent) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return {
    platform: `${process.versions.modules} ${process.platform} ${process.arch}`,
    lockHash: createHash('sha256').update(lock).digest('hex'),
    extent,
  };
}

function writeStamp(extent) {
  const { platform, lockHash } = stampOf(extent);
  writeFileSync(stamp, [platform, lockHash, extent].join('\n'));
}

function isSameInstallation(known, wanted) {
  return known?.platform === wanted.platform && known.lockHash === wanted.lockHash;
}

/** Compares npm's own list of what it installed with the lock file. */
function isAsLocked(extent) {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(
    ([path, entry]) =>
      path === '' ||
      installed[path]?.version === entry.version ||
      entry.optional ||
      (extent === RUNTIME && (entry.dev || entry.devOptional)),
  );
}

/**
 * Adds the packages of the tests to those that run, which are not installed or compiled a second time; everything else
 * begins afresh. What was installed for tests before stays for tests.
 */
async function install(extent) {
  const hadDevelopment = readStamp()?.extent === DEVELOPMENT;
  const largest = hadDevelopment ? DEVELOPMENT : extent;
  say(
    largest === RUNTIME
      ? 'Installing packages (a minute) …'
      : 'Installing packages and tools (some minutes) …',
  );
  const how = largest === DEVELOPMENT && isInstalled(RUNTIME) ? ['install', '--no-save'] : ['ci'];
  const what = largest === RUNTIME ? '--omit=dev' : '--include=dev';
  const exitCode = await runNpm([
    ...how,
    what,
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ]);
  if (exitCode !== 0) fail('The packages could not be installed; npm says why above.');
  writeStamp(largest);
}

async function compile() {
  try {
    await buildDist();
  } catch (error) {
    // The compiler has shown its own errors already.
    if (Array.isArray(error.errors)) fail('The sources could not be compiled; see above.');
    throw error;
  }
}

/** Its errors go straight to the terminal; what it says besides is left out. */
function runNpm(args) {
  // Under `npm start` this is the very npm that started us.
  const npm = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : null;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...COMPILER_ENVIRONMENT, ...process.env },
    shell: npm === null && process.platform === 'win32',
  });
  const passOn = (signal) => child.kill(signal);
  process.on('SIGTERM', passOn).on('SIGINT', passOn);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new SetUpError(`npm cannot be started: ${error.message}`)));
    child.on('close', resolve);
  }).finally(() => process.off('SIGTERM', passOn).off('SIGINT', passOn));
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Thrown, not exited: the lock is let go on the way. */
function fail(text) {
  throw new SetUpError(text);
}

class SetUpError extends Error {}

/** {@link setUp} for a command line: says what is wrong in one line and ends the process. */
async function setUpOrExit(extent) {
  try {
    await setUp(extent);
  } catch (error) {
    say(error instanceof SetUpError ? error.message : error.stack);
    process.exit(1);
  }
}

/** Makes the clone ready to build and run the service. */
export const setUpToRun = () => setUpOrExit(RUNTIME);

/** Makes the clone ready to test and check it, and to run the service. */
export const setUpToDevelop = () => setUpOrExit(DEVELOPMENT);

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUpToDevelop();
