import fastifyPlugin from 'fastify-plugin';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../../kernel/time/clock.js';
import { inTime } from '../../kernel/time/in-time.js';

/** One value of a number, and what tells it apart from the others of its name. */
export interface Reading {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

interface Named {
  /** Without the prefix; a counter's without its `_total`. */
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** A number that a room shows, read when it is asked for; one that cannot be read is left out. */
export interface ShownNumber extends Named {
  kind: 'gauge' | 'counter';
  read: () => readonly Reading[] | Promise<readonly Reading[]>;
}

/** Durations that a room tells as they come. */
export interface ShownDurations extends Named {
  kind: 'durations';
  /** @param observe takes each of them, in seconds */
  listen: (observe: (seconds: number) => void) => void;
}

export type Shown = ShownNumber | ShownDurations;

const PREFIX = 'callwright_';
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Prometheus waits ten seconds for all numbers together: one that takes long must not cost it the others. */
const LONGEST_READ_MS = 2_000;

/** The process, the requests and the rooms in numbers. */
export function createMetrics(shown: readonly Shown[], { clock }: { clock: Clock }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const one of shown) {
    if (one.kind === 'durations') showDurations(one, registry);
    else showNumber(one, { registry, clock });
  }
  const answers = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'How long requests took, by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  const plugin = fastifyPlugin(async (app) => {
    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'none';
      answers.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
      done();
    });
  });
  return { registry, plugin };
}

function showNumber(shown: ShownNumber, { registry, clock }: { registry: Registry; clock: Clock }): void {
  const { kind, name, help, labelNames = [], read } = shown;
  const common = { help, labelNames, registers: [registry] };
  const readings = () => readInTime(Promise.resolve().then(read), clock);
  if (kind === 'gauge') {
    const gauge: Gauge = new Gauge({
      ...common,
      name: `${PREFIX}${name}`,
      async collect() {
        const values = await readings();
        forget(gauge, labelNames);
        for (const { labels = {}, value } of values) gauge.set(labels, value);
      },
    });
    return;
  }
  const counter: Counter = new Counter({
    ...common,
    name: `${PREFIX}${name}_total`,
    async collect() {
      const values = await readings();
      forget(counter, labelNames);
      for (const { labels = {}, value } of values) counter.inc(labels, value);
    },
  });
}

/** What was told last must not be told again: what cannot be read now is not known. */
function forget(metric: Gauge | Counter, labelNames: readonly string[]): void {
  metric.reset();
  if (labelNames.length === 0) metric.remove();
}

function showDurations({ name, help, listen }: ShownDurations, registry: Registry): void {
  const durations = new Histogram({
    name: `${PREFIX}${name}_seconds`,
    help,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  listen((seconds) => durations.observe(seconds));
}

/** What is read, or nothing where that fails or takes too long: the other numbers are told all the same. */
function readInTime(reading: Promise<readonly Reading[]>, clock: Clock): Promise<readonly Reading[]> {
  const nothing = () => [];
  return inTime(reading.catch(nothing), { clock, limitMs: LONGEST_READ_MS, late: nothing });
}
