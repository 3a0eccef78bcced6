import { afterAll, beforeAll, expect } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import type { Replacements } from '#app/replacements.js';
import type { Clock } from '#kernel/time/clock.js';
import { placeCall } from '#test/support/call-story.js';
import type { EmulatedCarrier } from '#test/support/emulators/emulated-carrier.js';
import type { Person, Talk } from '#test/support/emulators/person.js';
import type { PhoneBehaviour } from '#test/support/emulators/phone-network.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { AGENTS, sentences } from './carrier-talks.js';

/** Who is at which number. The first of `ours` is answered; callers of the second do not stay for it. */
export const NUMBERS = {
  accepts: '+14155550123',
  busy: '+14155550124',
  machine: '+14155550125',
  interrupts: '+14155550126',
  wantsColleague: '+14155550128',
  colleague: '+14155550129',
  books: '+14155550188',
  leaves: '+14155550189',
  stranger: '+14155550199',
  ours: '+14155550177',
  oursToo: '+14155550178',
} as const;

/** What tests look at on a line of an emulated carrier. */
export interface EmulatedLine {
  person: Person | null;
  ended: Promise<void>;
}

/** Somebody who calls a number of ours. */
export interface Caller {
  from: string;
  to: string;
  talk?: Talk;
  staysMs?: number;
}

/** What is particular to a carrier: how it is opened, told of, and what it calls things. */
export interface CarrierUnderTest<Emulator extends EmulatedCarrier, Line extends EmulatedLine> {
  /** As settings, addresses and calls name it. */
  provider: string;
  /** The name by which the world knows the service; without one it is at its port of this machine. */
  domain?: string;
  open(around: {
    clock: Clock;
    phones: Readonly<Record<string, PhoneBehaviour>>;
    reach: (url: string) => string;
    addressOf: (kind: string) => string;
  }): Promise<Emulator>;
  environmentOf(emulator: Emulator): Record<string, string>;
  /** @param told where the carrier tells of the call, and of what becomes of it */
  callIn(emulator: Emulator, caller: Caller, told: { incomingUrl: string; statusUrl: string }): Line;
  /** The line of a call that was placed to a number. */
  lineTo(emulator: Emulator, number: string): Line | undefined;
  providerCallId(line: Line): string;
  /** A call to one of our numbers as the carrier tells of it, but for the signature. */
  unsigned(call: { from: string; to: string }): { headers: Record<string, string>; payload: string };
  /** What must not stand in a log. */
  secretsOf(emulator: Emulator): readonly string[];
  /** Whether it listens for answering machines; without a word, it does. */
  hearsMachines?: boolean;
  /** Whether it is asked what a call has cost when that is over. */
  asksPrices?: boolean;
  /** When a caller hangs up who does not wait for the agent: while the greeting is said, where there is one. */
  leavesAfterMs?: number;
  /** Parts of the service that are other ones. */
  replace?: Partial<Replacements>;
  /** In which the service lives; one of its own by default. */
  time?: VirtualClock;
  /** Further phones. */
  phones?: (said: Awaited<ReturnType<typeof sentences>>) => Readonly<Record<string, PhoneBehaviour>>;
}

/** A service whose carrier is emulated, with agents, numbers and people to call. */
export class CarrierRig<Emulator extends EmulatedCarrier, Line extends EmulatedLine> {
  readonly carrier: CarrierUnderTest<Emulator, Line>;
  /** In which the service lives as well as the carrier and everybody on the phone. */
  readonly time: VirtualClock;
  #emulator: Emulator | null = null;
  #service: TestService | null = null;
  #said: Awaited<ReturnType<typeof sentences>> | null = null;
  readonly #agentIds = new Map<object, string>();

  constructor(carrier: CarrierUnderTest<Emulator, Line>) {
    this.carrier = carrier;
    this.time = carrier.time ?? new VirtualClock();
  }

  get emulator(): Emulator {
    return this.#emulator!;
  }

  get service(): TestService {
    return this.#service!;
  }

  get said(): Awaited<ReturnType<typeof sentences>> {
    return this.#said!;
  }

  async open(): Promise<void> {
    const { carrier } = this;
    const said = (this.#said = await sentences());
    this.#emulator = await carrier.open({
      clock: this.time,
      phones: { ...phonesOf(said), ...carrier.phones?.(said) },
      reach: (url) => this.#reach(url),
      addressOf: (kind) => this.addressOf(kind),
    });
    this.#service = await buildTestService({
      time: this.time,
      environment: {
        CARRIER: carrier.provider,
        CALLS_PER_SECOND: '50',
        HOLD_SOUND: 'silence',
        ...(carrier.domain ? { SERVER_DOMAIN: carrier.domain } : {}),
        ...carrier.environmentOf(this.#emulator),
      },
      ...(carrier.replace && { replace: carrier.replace }),
    });
    const agent_id = await this.agentId(AGENTS.books);
    for (const phone_number of [NUMBERS.ours, NUMBERS.oursToo])
      await this.service.request('POST', '/api/phone-numbers', { phone_number, agent_id });
  }

  async close(): Promise<void> {
    await this.#service?.close();
    await this.#emulator?.close();
  }

  /** Where the carrier tells of something, as the world knows the address. */
  addressOf(kind: string): string {
    const { domain, provider } = this.carrier;
    const base = domain ? `https://${domain}` : this.service.baseUrl.replace('127.0.0.1', 'localhost');
    return `${base}/webhook/${provider}/${kind}`;
  }

  /** The id of an agent, who is created when he is asked for. */
  async agentId(agent: object): Promise<string> {
    const known = this.#agentIds.get(agent);
    if (known !== undefined) return known;
    const { status, body } = await this.service.request('POST', '/api/agents', agent);
    expect(status, JSON.stringify(body)).toBe(201);
    const { id } = body as { id: string };
    this.#agentIds.set(agent, id);
    return id;
  }

  /** Calls somebody. */
  async call(to_number: string, agent: object): Promise<string> {
    const agent_id = await this.agentId(agent);
    return placeCall(this.service.request, { to_number, from_number: NUMBERS.ours, agent_id });
  }

  /** Somebody calls us. */
  callIn(caller: Caller): Line {
    const addresses = { incomingUrl: this.addressOf('incoming'), statusUrl: this.addressOf('status') };
    return this.carrier.callIn(this.emulator, caller, addresses);
  }

  lineTo(number: string): Line {
    return this.carrier.lineTo(this.emulator, number)!;
  }

  /** The calls of somebody who has called us. */
  async inboundFrom(number: string): Promise<CallResource[]> {
    const { body } = await this.service.request('GET', '/api/calls?direction=inbound&limit=100');
    return (body as { data: CallResource[] }).data.filter(({ from_phone }) => from_phone === number);
  }

  #reach(url: string): string {
    const { protocol, host, pathname, search } = new URL(url);
    if (host !== this.carrier.domain) return url;
    return this.service.baseUrl.replace('http:', protocol.replace('s:', ':')) + pathname + search;
  }
}

/** Lets a turn of the other side pass. */
const NOTHING = new Int16Array(0);

function phonesOf(said: Awaited<ReturnType<typeof sentences>>): Record<string, PhoneBehaviour> {
  const picksUp = { kind: 'answers', ringMs: 200 } as const;
  return {
    [NUMBERS.accepts]: { ...picksUp, talk: { sentences: said.accepts } },
    [NUMBERS.interrupts]: { ...picksUp, talk: { sentences: said.declines, interruptsAfterMs: 1_500 } },
    [NUMBERS.wantsColleague]: {
      ...picksUp,
      talk: { sentences: [...said.accepts, NOTHING, ...said.tellsDay] },
    },
    [NUMBERS.colleague]: {
      ...picksUp,
      talk: { sentences: [...said.accepts, ...said.tellsName], thenHangsUp: true },
    },
    [NUMBERS.busy]: { kind: 'busy' },
    [NUMBERS.machine]: { ...picksUp, answeredBy: { kind: 'machine', greetingMs: 1_500, beeps: true } },
  };
}

/** A rig for the tests of a file: open before them, closed after them. */
export function openCarrierRig<Emulator extends EmulatedCarrier, Line extends EmulatedLine>(
  carrier: CarrierUnderTest<Emulator, Line>,
): CarrierRig<Emulator, Line> {
  const rig = new CarrierRig(carrier);
  beforeAll(() => rig.open());
  afterAll(() => rig.close());
  return rig;
}
