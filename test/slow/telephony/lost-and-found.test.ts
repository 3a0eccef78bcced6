import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { callOnce, once, placeCall } from '#test/support/call-story.js';
import type { TestedCarrierDefinition } from '#test/support/emulators/tested-carrier.js';
import { drawnCarriers } from '#test/support/emulators/drawn-carriers.js';
import { TESTED_CARRIERS } from '#test/support/emulators/tested-carriers.js';
import type { CallbackAbout, CallbackTravel, Faults } from '#test/support/emulators/faults.js';
import type { PhoneBehaviour } from '#test/support/emulators/phone-network.js';
import {
  buildOneCarrierService,
  type OneCarrierService,
} from '#test/integration/telephony/one-carrier-service.js';

type Story = 'talk' | 'uncertain and not rung' | 'uncertain and rung';

interface Trouble {
  what: string;
  /** Of whoever is called, so that the troubles do not meet. */
  phone: string;
  ringMs?: number;
  make(faults: ReturnType<Faults['at']>): void;
  /** What becomes of the call, at a carrier. */
  story(carrier: TestedCarrierDefinition): Story;
}

/** What carriers call a call that nobody has picked up yet, or an event of one. */
const BEFORE = ['queued', 'trying', 'initiated', 'started', 'ringing', 'call.initiated'];
const ENDED = ['completed', 'call.hangup'];
const LOST: CallbackTravel = { copies: 0 };

const isAnswer = ({ purpose, status }: CallbackAbout) =>
  purpose === 'answered' || status === 'call.answered' || BEFORE.includes(status);

const TROUBLES: readonly Trouble[] = [
  // The one that takes longest begins first.
  {
    what: 'has dialled, and says nothing before somebody picks up, does not dial again',
    phone: '+14155550104',
    ringMs: 3_500,
    make: (faults) => {
      faults.creates.push({ kind: 'lost_answer' });
      faults.callback = ({ status }) => (BEFORE.includes(status) ? LOST : {});
    },
    story: ({ findsCalls }) => (findsCalls === true ? 'talk' : 'uncertain and rung'),
  },
  {
    what: 'has dialled, and whose answer is lost, is not asked again',
    phone: '+14155550101',
    make: (faults) => faults.creates.push({ kind: 'lost_answer' }),
    story: () => 'talk',
  },
  {
    what: 'calls back before it has answered has the one call',
    phone: '+14155550102',
    make: (faults) => faults.creates.push({ kind: 'callback_first' }),
    story: () => 'talk',
  },
  {
    what: 'may have dialled is not asked again, and that is said',
    phone: '+14155550103',
    make: (faults) => faults.creates.push({ kind: 'broken_connection' }),
    story: () => 'uncertain and not rung',
  },
  {
    what: 'takes no more calls now is asked again when it does',
    phone: '+14155550105',
    make: (faults) => faults.creates.push({ kind: 'too_many', retryAfterSeconds: 1 }),
    story: () => 'talk',
  },
  {
    what: 'says everything twice, and in another order, ends the call once',
    phone: '+14155550106',
    make: (faults) => {
      let told = 0;
      faults.callback = () => ({ copies: 2, delayMs: [150, 0, 80, 0][told++ % 4]! });
    },
    story: () => 'talk',
  },
  {
    what: 'does not tell of the end does not keep the call alive',
    phone: '+14155550107',
    make: (faults) => {
      faults.callback = ({ status }) => (ENDED.includes(status) ? LOST : {});
    },
    story: () => 'talk',
  },
  {
    what: 'is silent from the moment that somebody has picked up has its call ended all the same',
    phone: '+14155550108',
    make: (faults) => {
      faults.callback = (about) => (isAnswer(about) ? {} : LOST);
    },
    story: () => 'talk',
  },
];

const BUSY = '+14155550109';
const PHONES: Readonly<Record<string, PhoneBehaviour>> = {
  [BUSY]: { kind: 'busy' },
  ...Object.fromEntries(TROUBLES.map(({ phone, ringMs = 100 }) => [phone, { kind: 'answers', ringMs }])),
};

it('every remote carrier is asked', () => {
  const names = REMOTE_CARRIERS.map(({ name }) => name);
  expect(TESTED_CARRIERS.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
});

describe.each(drawnCarriers(({ findsCalls }) => findsCalls === true))('$name', (definition) => {
  let service: OneCarrierService;

  beforeAll(async () => {
    service = await buildOneCarrierService(definition, PHONES);
  });
  afterAll(() => service?.close());

  for (const { what, phone, make, story } of TROUBLES)
    it.concurrent(`that ${what}`, async () => {
      const faults = service.carrier.faults.at(phone);
      make(faults);
      const [asked] = faults.creates;
      const id = await placeCall(service.request, { to_number: phone });
      await tell(id, phone, story(definition));
      // It has really gone wrong.
      expect(faults.creates).toEqual([]);
      expect(asked ?? faults.astray[0]).toBeDefined();
    });

  // By itself: to the calls of others, too much time would pass.
  it('that does not say that a phone is busy is asked, once it has rung for too long', async () => {
    service.carrier.faults.at(BUSY).callback = ({ status }) => (BEFORE.includes(status) ? {} : LOST);
    const id = await placeCall(service.request, { to_number: BUSY });
    await once(async () => service.lineTo(BUSY), service.time);
    await service.time.during(service.lineTo(BUSY).ended);
    const isPlaced = ({ provider_call_id }: CallResource) => provider_call_id !== null;
    await callOnce(service.request, id, isPlaced);
    await callOnce(service.request, id);
    const ended_reason = definition.knowsEnds === true ? 'busy' : 'dial_timeout';
    await service.expectEnd(id, { status: 'failed', ended_reason });
    expect(service.rings(BUSY)).toBe(1);
  });

  async function tell(id: string, phone: string, story: Story): Promise<void> {
    switch (story) {
      case 'talk': {
        await service.untilTalking(id);
        const { person, carrierCallId, ended } = service.lineTo(phone);
        person!.hangUp();
        await service.time.during(ended);
        await service.expectEnd(id, {
          status: 'completed',
          ended_reason: 'customer_hangup',
          provider: definition.name,
          provider_call_id: carrierCallId,
        });
        return expect(service.rings(phone)).toBe(1);
      }
      case 'uncertain and rung':
        await service.expectEnd(id, { status: 'failed', ended_reason: 'uncertain' });
        // Nobody has anything to say to whoever picks up now.
        await service.time.during(service.lineTo(phone).ended);
        await service.expectEnd(id, { status: 'failed', ended_reason: 'uncertain' });
        return expect(service.rings(phone)).toBe(1);
      case 'uncertain and not rung':
        await service.expectEnd(id, { status: 'failed', ended_reason: 'uncertain' });
        return expect(service.rings(phone)).toBe(0);
    }
  }
});
