import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';

/** One value of a metric, with its labels. */
export interface Reading {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

interface Named {
  /** Without the prefix `callwright_`; the name of a counter without `_total`. */
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** A metric that is read on each request for `/metrics`; without values when the read fails. */
export interface ReadMetric extends Named {
  kind: 'gauge' | 'counter';
  read: () => readonly Reading[] | Promise<readonly Reading[]>;
}

/** A histogram of durations, observed as they occur. */
export interface ObservedDurations extends Named {
  kind: 'durations';
  /** @param observe takes each duration, in seconds */
  listen: (observe: (seconds: number, labels?: Reading['labels']) => void) => void;
}

export type Metric = ReadMetric | ObservedDurations;

const PREFIX = 'callwright_';
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Prometheus waits ten seconds for the whole response: one slow metric must not cost the others. */
const LONGEST_READ_MS = 2_000;

/** Registers the metrics of the process and of its modules. */
export function exposeMetrics(metrics: readonly Metric[], { clock }: { clock: Clock }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of metrics) {
    if (metric.kind === 'durations') addObservedDurations(metric, registry);
    else addReadMetric(metric, { registry, clock });
  }
  return registry;
}

function addReadMetric(metric: ReadMetric, { registry, clock }: { registry: Registry; clock: Clock }): void {
  const { kind, name, help, labelNames = [], read } = metric;
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

/** Drops the values of the last request, so that a failed read shows none. */
function forget(metric: Gauge | Counter, labelNames: readonly string[]): void {
  metric.reset();
  if (labelNames.length === 0) metric.remove();
}

function addObservedDurations(metric: ObservedDurations, registry: Registry): void {
  const { name, help, labelNames = [], listen } = metric;
  const durations = new Histogram({
    name: `${PREFIX}${name}_seconds`,
    help,
    labelNames,
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  });
  listen((seconds, labels = {}) => durations.observe(labels, seconds));
}

/** The values, or none when reading fails or takes too long. */
function readInTime(reading: Promise<readonly Reading[]>, clock: Clock): Promise<readonly Reading[]> {
  const nothing = () => [];
  return withTimeout(reading.catch(nothing), { clock, limitMs: LONGEST_READ_MS, onTimeout: nothing });
}
