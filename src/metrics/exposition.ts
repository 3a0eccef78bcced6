import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';

/**
 * Exposes the metrics of all modules in the Prometheus format. Modules describe their metrics as {@link Metric}; the
 * HTTP server registers them for `/metrics`.
 */

/** One value of a metric, with its labels. */
export interface Reading {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** The name, explanation and labels of a metric. */
interface MetricName {
  /** Without the prefix `callwright_`; the name of a counter without `_total`. */
  name: string;
  help: string;
  labelNames?: readonly string[];
}

/** A metric whose values are read on each request for `/metrics`; it has no values when reading fails. */
export interface ReadMetric extends MetricName {
  kind: 'gauge' | 'counter';
  read: () => readonly Reading[] | Promise<readonly Reading[]>;
}

/** A histogram of durations, which are recorded as they occur. */
export interface ObservedDurations extends MetricName {
  kind: 'durations';
  /** Called once at the start. @param observe records a duration, in seconds */
  listen: (observe: (seconds: number, labels?: Reading['labels']) => void) => void;
}

/** A metric of a module. */
export type Metric = ReadMetric | ObservedDurations;

const PREFIX = 'callwright_';
/** The buckets of histograms, in seconds. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/**
 * Timeout of reading a metric. Prometheus waits ten seconds for all metrics: a slow metric must not cost the others.
 */
const READ_TIMEOUT_MS = 2_000;

/** Creates the registry with the given metrics of modules and the default metrics of the process (memory, CPU). */
export function exposeMetrics(metrics: readonly Metric[], { clock }: { clock: Clock }): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of metrics) {
    if (metric.kind === 'durations') addObservedDurations(metric, registry);
    else addReadMetric(metric, { registry, clock });
  }
  return registry;
}

/** Registers a gauge or a counter that is read on each request. */
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
        dropValues(gauge, labelNames);
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
      dropValues(counter, labelNames);
      for (const { labels = {}, value } of values) counter.inc(labels, value);
    },
  });
}

/** Drops the values of the last request. `reset` alone would show 0 for a metric without labels. */
function dropValues(metric: Gauge | Counter, labelNames: readonly string[]): void {
  metric.reset();
  if (labelNames.length === 0) metric.remove();
}

/** Registers a histogram. */
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
  return withTimeout(reading.catch(nothing), { clock, limitMs: READ_TIMEOUT_MS, onTimeout: nothing });
}
