import type { TestedCarrier, TestedCarrierDefinition, Sent, Surroundings } from './tested-carrier.js';
import type { EmulatedCarrier } from './emulated-carrier.js';
import { JambonzEmulator } from './jambonz-emulator.js';
import { PlivoEmulator } from './plivo-emulator.js';
import { TelnyxEmulator } from './telnyx-emulator.js';
import { TwilioEmulator, type TwilioEmulatorOptions } from './twilio-emulator.js';
import { VonageEmulator } from './vonage-emulator.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';

const E164 = (number: string) => (number.startsWith('+') ? number : `+${number}`);
const NO_LOOK_UP = 'its API finds calls by its own id alone';

async function openTwilio(
  around: Surroundings,
  environmentOf: (emulator: TwilioEmulator) => Record<string, string>,
  options: TwilioEmulatorOptions = {},
): Promise<TestedCarrier> {
  const emulator = await TwilioEmulator.open({ ...around, ...options });
  return {
    ...shared(emulator),
    environment: environmentOf(emulator),
    lines: () =>
      emulator.calls.map(({ record, ended, person, streams }) => ({
        carrierCallId: record.sid,
        to: record.to,
        from: record.from,
        isOver: record.isOver,
        ended,
        person,
        streams,
      })),
    isHangUp: ({ form }) => form['Status'] === 'completed',
    isStreamEnd,
  };
}

function openTexml(around: Surroundings): Promise<TestedCarrier> {
  const { signingKey, publicKey } = telnyxKeys();
  return openTwilio(
    around,
    ({ accountSid, authToken, url }) => ({
      TELNYX_TEXML_API_KEY: authToken,
      TELNYX_TEXML_PUBLIC_KEY: publicKey,
      TELNYX_TEXML_ACCOUNT_SID: accountSid,
      TELNYX_TEXML_APPLICATION_SID: '1293384261075731499',
      TELNYX_TEXML_API_URL: url,
    }),
    { dialect: 'telnyx', signingKey },
  );
}

async function openTelnyx(around: Surroundings): Promise<TestedCarrier> {
  const webhookUrl = `${around.publicUrl}/webhook/telnyx/incoming`;
  const emulator = await TelnyxEmulator.open({ ...around, webhookUrl });
  return {
    ...shared(emulator),
    environment: {
      TELNYX_API_KEY: emulator.apiKey,
      TELNYX_PUBLIC_KEY: emulator.publicKey,
      TELNYX_CONNECTION_ID: emulator.connectionId,
      TELNYX_API_URL: emulator.url,
    },
    lines: () =>
      emulator.calls.map(({ id, line, isOver, ended, person, streams }) => ({
        carrierCallId: id,
        to: line.to,
        from: line.from,
        isOver,
        ended,
        person,
        streams,
      })),
    isHangUp: ({ path }) => path.endsWith('/actions/hangup'),
    isStreamEnd: ({ purpose }) => purpose === 'streaming.stopped',
  };
}

async function openPlivo(around: Surroundings): Promise<TestedCarrier> {
  const emulator = await PlivoEmulator.open(around);
  return {
    ...shared(emulator),
    environment: {
      PLIVO_AUTH_ID: emulator.authId,
      PLIVO_AUTH_TOKEN: emulator.authToken,
      PLIVO_API_URL: emulator.url,
    },
    lines: () =>
      emulator.calls.map(({ callId, order, end, ended, person, streams }) => ({
        carrierCallId: callId,
        to: E164(order['to']!),
        from: E164(order['from']!),
        isOver: end !== null,
        ended,
        person,
        streams,
      })),
    isHangUp: ({ method }) => method === 'DELETE',
    isStreamEnd,
  };
}

async function openVonage(around: Surroundings): Promise<TestedCarrier> {
  const emulator = await VonageEmulator.open(around);
  return {
    ...shared(emulator),
    environment: {
      VONAGE_APPLICATION_ID: emulator.account.applicationId,
      VONAGE_PRIVATE_KEY: emulator.privateKey.trim().replaceAll('\n', '\\n'),
      VONAGE_API_KEY: emulator.account.apiKey,
      VONAGE_SIGNATURE_SECRET: emulator.account.signatureSecret,
      VONAGE_API_URL: emulator.url,
    },
    lines: () =>
      emulator.calls.map(({ record, ended, person, sockets: streams }) => ({
        carrierCallId: record.uuid,
        to: E164(record.to),
        from: E164(record.from),
        isOver: record.isOver,
        ended,
        person,
        streams,
      })),
    isHangUp: ({ form }) => form['action'] === '"hangup"',
    isStreamEnd: ({ form }) => form['status'] === 'disconnected',
  };
}

async function openJambonz(around: Surroundings): Promise<TestedCarrier> {
  const emulator = await JambonzEmulator.open(around);
  return {
    ...shared(emulator),
    environment: {
      JAMBONZ_ACCOUNT_SID: emulator.accountSid,
      JAMBONZ_API_KEY: emulator.apiKey,
      JAMBONZ_WEBHOOK_SECRET: emulator.webhookSecret,
      JAMBONZ_API_URL: emulator.url,
    },
    lines: () =>
      emulator.calls.map(({ sid, info, ended, person, streams }) => ({
        carrierCallId: sid,
        to: E164(info.to),
        from: E164(info.from),
        isOver: info.isOver,
        ended,
        person,
        streams,
      })),
    isHangUp: ({ form }) => form['call_status'] !== undefined,
    isStreamEnd: () => false,
  };
}

function isStreamEnd({ url }: Pick<Sent, 'url'>): boolean {
  return url.includes('/stream-ended');
}

function shared(emulator: EmulatedCarrier) {
  const { network, faults, log } = emulator;
  return { network, faults, log, idle: () => emulator.idle(), close: () => emulator.close() };
}

/** Every carrier outside the process, with its emulator. */
export const TESTED_CARRIERS: readonly TestedCarrierDefinition[] = [
  {
    name: 'twilio',
    findsCalls: NO_LOOK_UP,
    knowsEnds: true,
    asksAfterStream: true,
    takesStreamAway: true,
    open: (around) =>
      openTwilio(around, ({ accountSid, authToken, url }) => ({
        TWILIO_ACCOUNT_SID: accountSid,
        TWILIO_AUTH_TOKEN: authToken,
        TWILIO_API_URL: url,
      })),
  },
  {
    name: 'signalwire',
    findsCalls: NO_LOOK_UP,
    knowsEnds: true,
    asksAfterStream: true,
    takesStreamAway: true,
    open: (around) =>
      openTwilio(
        around,
        ({ accountSid, authToken, signingKey, url }) => ({
          SIGNALWIRE_PROJECT_ID: accountSid,
          SIGNALWIRE_API_TOKEN: authToken,
          SIGNALWIRE_SIGNING_KEY: signingKey,
          SIGNALWIRE_API_URL: url,
        }),
        { dialect: 'signalwire', signingKey: 'PSK_for-tests' },
      ),
  },
  {
    name: 'generic',
    findsCalls: NO_LOOK_UP,
    knowsEnds: true,
    asksAfterStream: true,
    takesStreamAway: true,
    open: (around) =>
      openTwilio(around, ({ accountSid, authToken, url }) => ({
        GENERIC_API_URL: `${url}/2010-04-01/Accounts/${accountSid}`,
        GENERIC_USERNAME: accountSid,
        GENERIC_PASSWORD: authToken,
        GENERIC_SIGNING_KEY: authToken,
      })),
  },
  {
    name: 'telnyx',
    findsCalls: true,
    knowsEnds: 'it says of a call that it is over, and no more',
    asksAfterStream: true,
    takesStreamAway: false,
    open: openTelnyx,
  },
  {
    name: 'telnyx_texml',
    findsCalls: NO_LOOK_UP,
    knowsEnds: true,
    asksAfterStream: true,
    takesStreamAway: true,
    open: openTexml,
  },
  {
    name: 'plivo',
    findsCalls: NO_LOOK_UP,
    knowsEnds: 'it gives a call an id of its own, and has told it to nobody',
    asksAfterStream: true,
    takesStreamAway: true,
    open: openPlivo,
  },
  {
    name: 'vonage',
    findsCalls: NO_LOOK_UP,
    knowsEnds: true,
    asksAfterStream: true,
    takesStreamAway: true,
    open: openVonage,
  },
  {
    name: 'jambonz',
    findsCalls: NO_LOOK_UP,
    knowsEnds: true,
    asksAfterStream: false,
    takesStreamAway: true,
    open: openJambonz,
  },
];
