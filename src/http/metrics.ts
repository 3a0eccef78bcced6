import fastifyPlugin from 'fastify-plugin';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Numbers that rooms show: the metric's name without prefix, what it means, and how to read it now. */
export type Gauges = Readonly<Record<string, { help: string; read: () => number }>>;

const PREFIX = 'callwright_';
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The process, the requests and the rooms in numbers. */
export function createMetrics(gauges: Gauges) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, { help, read }] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name: `${PREFIX}${name}`,
      help,
      registers: [registry],
      collect: () => gauge.set(read()),
    });
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
