// The process: reads the environment, starts the service and stops it on signals. Importing this module starts it.
import { once } from 'node:events';
import nodeModule from 'node:module';
import { buildApp, startThreads, type App, type Start } from '#app/app.js';
import { bannerOf } from '#cli/banner.js';
import type { Config } from '#config/config.js';
import { ConfigError } from '#config/setting.js';
import { runDemo } from '#cli/demo.js';
import { hostInUrl } from '#app/addresses.js';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { bufferedOutput, createLog } from '#kernel/log/log.js';
import { describeSystemError } from '#kernel/errors/system-error.js';
import { createHeldLog, createTerminalLog } from '#cli/local-log.js';

/** How long closing may take after the drain timeout; then the process exits anyway. */
const CLOSE_TIMEOUT_MS = 15_000;

/** How long a process that exits after an unexpected error waits until its log is written. */
const LOG_FLUSH_TIMEOUT_MS = 1_000;

/** The file descriptor of standard error. */
const STANDARD_ERROR = 2;

/** Sent by a service manager, by Ctrl-C, and by a terminal that closes. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Within this time a second signal counts as the same one: a terminal or service manager signals the whole process
 * group, and `npm` forwards what it receives.
 */
const SAME_SIGNAL_MS = 1_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const stop = stopOnSignals();
const stopped = once(stop, 'abort').then(() => null);
// Node 22 and later cache compiled code for the next start; the types are those of Node 20.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
// Threads and settings take the longest to load, so both load at once.
const threads = startThreads();
const { loadConfig } = await import('#config/read-config.js');
const config = readConfigOrExit();
// A closed pipe or a full disk behind the output is no reason to end live calls.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
const localLog = process.stderr.isTTY
  ? createTerminalLog((line) => process.stderr.write(line))
  : createHeldLog(bufferedOutput(STANDARD_ERROR));
const log = openLog(config);
process.on('uncaughtException', die);
process.on('unhandledRejection', die);
await serve();

function readConfigOrExit(): Config {
  try {
    return loadConfig(process.env, process.cwd());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/**
 * In `local`, standard output is for people and the log goes to standard error; elsewhere the log is the only output.
 */
function openLog({ environment, logLevel }: Config): ReturnType<typeof createLog> {
  return environment === 'local' ? createLog(logLevel, localLog) : createLog(logLevel);
}

/** Starts the service, presents it on the terminal, and closes it when a stop is requested. */
async function serve(): Promise<void> {
  for (const warning of config.warnings) log.warn(warning);
  // The demonstration is an ordinary client; its key exists only in this process.
  const demoKey = createIds(systemClock).secret(32).toString('base64url');
  const apiKeys = config.demo ? [...config.apiKeys, demoKey] : config.apiKeys;
  const build = () => buildApp({ ...config, apiKeys }, { log }, { onStoreLost: die }, threads);
  const app = await unlessStopped(build);
  if (app === null) {
    // No call or request was accepted yet, and an interrupted transaction is rolled back: there is nothing to close.
    log.info({ signal: String(stop.reason) }, 'stopped before it had begun');
    process.exit(0);
  }
  const begun = await unlessStopped(() => app.listen());
  const demo = begun === null ? Promise.resolve() : present(app, { ...begun, demoKey });
  await stopped;
  process.exit(await closeInOrder(app, { signal: String(stop.reason), demo }));
}

/** Prints the address of the service and runs the demonstration; resolves when that is over. */
async function present(
  app: App,
  { port, firstKey, consoleKey, demoKey }: Start & { demoKey: string },
): Promise<void> {
  const baseUrl = `http://${hostOf(config.host)}:${port}`;
  log.info({ host: config.host, port }, 'listening');
  // Earlier log lines are written before the banner; lines below a warning do not interrupt the demonstration.
  const resumeLog = await localLog.suspend();
  if (config.environment === 'local') print(bannerOf(config, { baseUrl, firstKey, consoleKey }));
  const showing = config.demo ? showDemo(app, { baseUrl, apiKey: demoKey, signal: stop }) : Promise.resolve();
  await showing.finally(resumeLog);
}

/** Runs the demonstration; a failure is only logged. */
async function showDemo(
  app: App,
  options: { baseUrl: string; apiKey: string; signal: AbortSignal },
): Promise<void> {
  const subscribe = app.liveFeed.subscribe.bind(app.liveFeed);
  try {
    await runDemo({ ...options, subscribe, print, clock: systemClock, stays: true });
  } catch (error) {
    log.error({ err: error }, 'demonstration failed');
  }
}

/**
 * Runs a step of the start; null if a stop was requested before it is done. An error that prevents the start is
 * printed in one line.
 */
async function unlessStopped<Result>(step: () => Promise<Result>): Promise<Result | null> {
  if (stop.aborted) return null;
  try {
    return await Promise.race([step(), stopped]);
  } catch (error) {
    log.debug({ err: error }, 'start failed');
    process.stderr.write(`Callwright cannot start: ${describeSystemError(error)}\n`);
    process.exit(1);
  }
}

/** An address that this machine can open. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '127.0.0.1') return 'localhost';
  return hostInUrl(host);
}

/**
 * Listens for signals from before the start, so that none ends the process abruptly. The first signal ends the
 * demonstration and drains live calls, then closes in order; a second one (after {@link SAME_SIGNAL_MS}) exits at once.
 */
function stopOnSignals(): AbortSignal {
  const stopping = new AbortController();
  let firstSignalAtMs = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    const nowMs = systemClock.monotonicMs();
    if (stopping.signal.aborted && nowMs - firstSignalAtMs > SAME_SIGNAL_MS) process.exit(1);
    if (stopping.signal.aborted) return;
    firstSignalAtMs = nowMs;
    stopping.abort(signal);
  };
  for (const name of STOP_SIGNALS) process.on(name, onSignal);
  return stopping.signal;
}

/** Ends the demonstration, drains live calls and closes. Returns the exit code: 1 if this takes too long. */
async function closeInOrder(
  app: App,
  { signal, demo }: { signal: string; demo: Promise<void> },
): Promise<number> {
  // The demonstration ends first: it suspends the log, and its call could not be ended once the drain has begun.
  const closing = demo
    .then(() => log.info({ signal }, 'stopping: live calls may go on for a while; a second signal ends them'))
    .then(() => app.drain())
    .then(() => app.close())
    .then(() => 0);
  const limitMs = config.drainTimeoutSeconds * 1_000 + CLOSE_TIMEOUT_MS;
  const onTimeout = () => {
    log.error('stopping took too long');
    return 1;
  };
  const exitCode = await withTimeout(closing, { clock: systemClock, limitMs, onTimeout });
  if (exitCode === 0) log.info('stopped');
  return exitCode;
}

/** An unexpected error: the safest reaction is to exit. Accepted work is durable and continues after the restart. */
function die(reason: unknown): void {
  log.fatal({ err: reason }, 'unforeseen error');
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  const limitMs = LOG_FLUSH_TIMEOUT_MS;
  void withTimeout(written, { clock: systemClock, limitMs, onTimeout: () => {} }).then(() => process.exit(1));
}
