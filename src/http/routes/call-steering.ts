import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import { steeringMode } from '#calls/resources/steering-mode.js';
import type { CallSteering, Steered } from '#calls/live/actions/call-steering.js';
import { LEAST_RING_SECONDS, MOST_RING_SECONDS, DEFAULT_RING_SECONDS } from '#dialogue/dialogue-manager.js';
import { optional, optionalWithDefault, phoneNumberField, textField } from '#kernel/input/fields.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { callPath } from './call-path.js';

/** The most characters of a text to say, or of a note for the language model. */
const MAX_TEXT_CHARACTERS = 2_000;
const MAX_BRIEFING_CHARACTERS = 1_000;

const sayRequest = z
  .object({
    text: textField(MAX_TEXT_CHARACTERS, 1).meta({ description: 'What the agent says, in its voice.' }),
    interrupt: optionalWithDefault(z.boolean(), false).meta({
      description:
        'True: the agent breaks off what it is saying, and says this instead. False: it says this at the next silence.',
    }),
  })
  .meta({
    id: 'SayRequest',
    description: 'Words for the agent.',
    examples: [{ text: 'One moment, I am looking.', interrupt: true }],
  });

const contextRequest = z
  .object({
    text: textField(MAX_TEXT_CHARACTERS, 1).meta({
      description: 'What the model reads; the caller does not hear it.',
    }),
  })
  .meta({
    id: 'ContextRequest',
    description: 'A note for the language model.',
    examples: [{ text: 'The customer has paid in the meantime.' }],
  });

/** The body of a transfer. @param region the country of numbers in national format, such as `DE` */
function transferRequest(region?: CountryCode) {
  return z
    .object({
      to_number: phoneNumberField(region),
      mode: optionalWithDefault(z.enum(['cold', 'warm']), 'cold').meta({
        description:
          '`cold` hands the line over at once; `warm` first asks the called person whether they take the call.',
      }),
      briefing: optional(textField(MAX_BRIEFING_CHARACTERS, 1)).meta({
        description:
          'What the person of a warm transfer is told; without it, what a language model makes of the talk so far.',
      }),
      ring_seconds: optionalWithDefault(
        z.int().min(LEAST_RING_SECONDS).max(MOST_RING_SECONDS),
        DEFAULT_RING_SECONDS,
      ).meta({ description: 'How long the phone of the person rings in a warm transfer, in seconds.' }),
      stay: optionalWithDefault(z.boolean(), false).meta({
        description: 'Whether the agent goes on with the caller when the person has hung up.',
      }),
    })
    .meta({
      id: 'TransferRequest',
      description: 'Who takes the call.',
      examples: [
        { to_number: '+14155550123', mode: 'warm', briefing: 'Ada asks about her order.' },
        { to_number: '+14155550123' },
      ],
    });
}

const steered = z
  .object({
    call_id: z.string().meta({ description: 'The id of the call.' }),
    id: z.string().meta({ description: 'The same as `call_id`.' }),
    mode: steeringMode,
    socket: z.string().nullable().meta({
      description:
        'The path of the WebSocket that takes the microphone, after a take-over or for a whisper; else null.',
    }),
  })
  .meta({
    id: 'CallSteered',
    description: 'The call after the action.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        mode: 'operator',
        socket: '/ws/calls/call_01kakb8x6te1tr7m3qf0c9w2af/speak',
      },
    ],
  });

function toResource({ callId, mode, socket }: Steered): z.infer<typeof steered> {
  return { call_id: callId, id: callId, mode, socket: socket && `/ws/calls/${callId}/${socket}` };
}

/** The actions whose requests have no body, by the last part of their paths. */
const ACTIONS_WITHOUT_BODY = {
  mute: {
    operationId: 'muteAgent',
    summary: 'Mute the agent',
    description: 'The agent falls silent and answers nothing; the caller is still heard and transcribed.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.mute(principal, id),
  },
  unmute: {
    operationId: 'unmuteAgent',
    summary: 'Unmute the agent',
    description: 'The agent answers again, from the next words of the caller on.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.unmute(principal, id),
  },
  hold: {
    operationId: 'holdCall',
    summary: 'Put a caller on hold',
    description:
      'The caller hears the hold sound (`HOLD_SOUND`) and is still transcribed. After `HOLD_LIMIT_SECONDS` the agent speaks to them again.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.hold(principal, id),
  },
  resume: {
    operationId: 'resumeCall',
    summary: 'Take a caller off hold',
    description: 'The agent speaks to the caller again. A warm transfer that is under way is given up.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.resume(principal, id),
  },
  whisper: {
    operationId: 'whisperInCall',
    summary: 'Whisper to a joined person',
    description:
      'After a warm transfer: open the WebSocket at `socket` and speak as after a take-over. The person whom the caller was joined with hears it, the caller does not.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.whisper(principal, id),
  },
  'take-over': {
    operationId: 'takeOverCall',
    summary: 'Take a call over',
    description:
      'The agent falls silent, and a person speaks in its place: open the WebSocket at `socket`, send `{"type": "start", "sample_rate": 48000}` and then 16-bit little-endian PCM, mono. When that socket closes, the call is handed back.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.takeOver(principal, id),
  },
  'hand-back': {
    operationId: 'handBackCall',
    summary: 'Hand a call back to the agent',
    description: 'The agent answers again, from the next words of the caller on.',
    act: (steering: CallSteering, principal: Principal, id: string) => steering.handBack(principal, id),
  },
} as const;

/** The dependencies of the steering routes. */
export interface CallSteeringRouteParts {
  steering: CallSteering;
  /** The country of numbers in national format, such as `DE`. */
  region?: CountryCode | undefined;
}

/**
 * The routes by which people steer a live call: mute, hold, take over, whisper, say, add context, transfer. The console
 * uses them. Each action is recorded in the call's log with its principal. All require the scope `write`.
 */
export const callSteeringRoutes: FastifyPluginAsyncZod<CallSteeringRouteParts> = async (server, parts) => {
  const { steering } = parts;
  for (const [path, { act, ...documentation }] of Object.entries(ACTIONS_WITHOUT_BODY)) {
    server.route({
      method: 'POST',
      url: `/api/calls/:call_id/${path}`,
      config: { whileDraining: true },
      schema: {
        ...documentation,
        tags: ['Calls'],
        params: callPath,
        response: { 200: answer('It is done.', steered), ...problems(409) },
      },
      handler: async ({ principal, params }) => toResource(await act(steering, principal, params.call_id)),
    });
  }
  routesWithBody(server, parts);
};

/** The routes of the actions that have a body: `say`, `context` and `transfer`. */
function routesWithBody(server: HttpServer, { steering, region }: CallSteeringRouteParts): void {
  const done = { 200: answer('It is done.', steered), ...problems(409) };
  const shared = { tags: ['Calls'], params: callPath, response: done };
  server.route({
    method: 'POST',
    url: '/api/calls/:call_id/say',
    config: { whileDraining: true },
    schema: {
      ...shared,
      operationId: 'sayInCall',
      summary: 'Have the agent say something',
      description:
        'The agent says it in its voice at the next silence, or at once with `interrupt`. It is in the transcript with `by: "operator"`, ' +
        'and a language model knows that it was said.',
      body: sayRequest,
    },
    handler: async ({ principal, params, body }) =>
      toResource(await steering.say(principal, params.call_id, body)),
  });

  server.route({
    method: 'POST',
    url: '/api/calls/:call_id/context',
    config: { whileDraining: true },
    schema: {
      ...shared,
      operationId: 'addCallContext',
      summary: 'Tell the language model something',
      description: 'A note that counts from the next answer on. The caller does not hear it.',
      body: contextRequest,
    },
    handler: async ({ principal, params, body }) =>
      toResource(await steering.context(principal, params.call_id, body.text)),
  });

  server.route({
    method: 'POST',
    // Not while draining: a warm transfer places another call.
    url: '/api/calls/:call_id/transfer',
    schema: {
      ...shared,
      operationId: 'transferCall',
      summary: 'Transfer a call',
      description:
        '`cold` hands the line over to another number at its carrier; the call of the agent ends then. `warm` puts the ' +
        'caller on hold and calls the person, who is told the briefing and asked whether they take the call; the answer ' +
        'comes at once, and the call to them has this one as its `parent_call_id`.',
      body: transferRequest(region),
    },
    handler: async ({ principal, params, body }) => {
      const { to_number: to, mode, briefing = null, ring_seconds: ringSeconds, stay } = body;
      return toResource(
        mode === 'warm'
          ? await steering.transferWarmly(principal, params.call_id, { to, briefing, ringSeconds, stay })
          : await steering.transfer(principal, params.call_id, to),
      );
    },
  });
}
