// What answering an incoming call costs: `POST /webhook/twilio/incoming` of the whole built service, signed as Twilio
// signs, each for a call of its own that is durable (SQLite, synchronous=FULL) before it is answered, against a bare
// Fastify route that answers the same XML and does nothing else. Same run, same client, round by round in turn; client
// and servers are processes of their own.
//
//     npm run bench:incoming -- [postgres] [outstanding=16] [seconds=1] [rounds=5]
import { once } from 'node:events';
import { goal, median, print } from './figures.js';
import { callIn, type CallsOrder, type CallsResult } from './incoming-caller.js';
import { serveBare, serveService } from './incoming-servers.js';
import { openServer } from './postgres.js';
import { answerOf, dataFolder, startServer } from './processes.js';

const GOAL_P95_MS = 50;
/** Until the compiler is done with the bare route, and with the service. */
const WARM_UP_SECONDS = { bare: 2, service: 6 };

process.on('disconnect', () => process.exit());

const words = process.argv.slice(2);
const isOnPostgres = words[0] === 'postgres';
const [first = '16', seconds = '1', rounds = '5'] = isOnPostgres ? words.slice(1) : words;
if (first === 'bare') await serveBare(seconds);
else if (first === 'service') await serveService(words[1]);
else if (first === 'caller') process.on('message', (order: CallsOrder) => void obey(order));
else await compare(Number(first), Number(seconds), Number(rounds));

async function compare(outstanding: number, roundSeconds: number, roundCount: number): Promise<void> {
  print(`${outstanding} outstanding, ${roundCount} rounds of ${roundSeconds} s, ${process.version}`);
  const postgres = isOnPostgres ? await openServer(dataFolder()) : null;
  const service = startServer('service', ...(postgres ? [postgres.databaseUrl] : []));
  const caller = startServer('caller');
  const serviceOrigin = await answerOf<string>(service);
  const call = (origin: string, forSeconds: number, atOnce = outstanding): Promise<CallsResult> => {
    caller.send({ origin, outstanding: atOnce, seconds: forSeconds } satisfies CallsOrder);
    return answerOf<CallsResult>(caller);
  };
  const { document } = await call(serviceOrigin, WARM_UP_SECONDS.service);
  const bare = startServer('bare', document);
  const bareOrigin = await answerOf<string>(bare);
  await call(bareOrigin, WARM_UP_SECONDS.bare);

  const all: { bare: CallsResult; service: CallsResult }[] = [];
  print('round       bare/s service/s   ratio   p50 ms bare / service   p95 ms bare / service');
  for (let round = 1; round <= roundCount; round++) {
    const measured = {
      bare: await call(bareOrigin, roundSeconds),
      service: await call(serviceOrigin, roundSeconds),
    };
    all.push(measured);
    print(rowOf(round, measured));
  }
  const ratio = median(all.map((measured) => measured.service.perSecond / measured.bare.perSecond));
  const p95Ms = median(all.map((measured) => measured.service.p95Ms));
  const alone = await call(serviceOrigin, roundSeconds, 1);
  print(`service : bare   ${ratio.toFixed(2)} (median)`);
  print(`answered in    ${p95Ms.toFixed(1)} ms at p95 (median; ${goal(p95Ms, '<', GOAL_P95_MS, ' ms')})`);
  print(`one at a time  ${alone.p50Ms.toFixed(1)} ms at p50, ${alone.p95Ms.toFixed(1)} ms at p95`);
  const children = [bare, service, caller];
  const gone = Promise.all(children.map((child) => once(child, 'exit')));
  for (const child of children) child.disconnect();
  await gone;
  await postgres?.remove();
}

function rowOf(round: number, { bare, service }: { bare: CallsResult; service: CallsResult }): string {
  return [
    String(round).padEnd(8),
    bare.perSecond.toFixed(0).padStart(9),
    service.perSecond.toFixed(0).padStart(9),
    (service.perSecond / bare.perSecond).toFixed(2).padStart(7),
    `${bare.p50Ms.toFixed(1)} / ${service.p50Ms.toFixed(1)}`.padStart(21),
    `${bare.p95Ms.toFixed(1)} / ${service.p95Ms.toFixed(1)}`.padStart(21),
  ].join(' ');
}

/** The caller's side: carries out one order after the other. */
async function obey(order: CallsOrder): Promise<void> {
  try {
    process.send!(await callIn(order));
  } catch (error) {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  }
}
