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

/** Installs and builds what is missing or out of date. Says nothing when there is nothing to do. */
export async function setUp() {
  refuseOldNode();
  if (isInstalled() && isBuilt()) return;
  await withSetupLock(join(root, '.setup'), {
    onWait: () => say('Waiting for another command that is setting up this folder …'),
    async task() {
      if (!isInstalled()) await install();
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

/** Whether node_modules is what package-lock.json asks for, on this Node. */
function isInstalled() {
  const known = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  const wanted = installationWanted();
  if (known === wanted) return true;
  // Compiled packages fit one version of Node only; what npm installed by hand is taken to be of this one.
  const [platform] = wanted.split('\n');
  if ((known !== '' && !known.startsWith(`${platform}\n`)) || !isAsLocked()) return false;
  writeFileSync(stamp, wanted);
  return true;
}

function installationWanted() {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${process.versions.modules} ${process.platform} ${process.arch}\n${hash}`;
}

/** Compares npm's own list of what it installed with the lock file. */
function isAsLocked() {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(
    ([path, { version, optional }]) => path === '' || installed[path]?.version === version || optional,
  );
}

async function install() {
  say('Installing packages (some minutes) …');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const exitCode = await runNpm(args);
  if (exitCode !== 0) fail('The packages could not be installed; npm says why above.');
  writeFileSync(stamp, installationWanted());
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
export async function setUpOrExit() {
  try {
    await setUp();
  } catch (error) {
    say(error instanceof SetUpError ? error.message : error.stack);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUpOrExit();
