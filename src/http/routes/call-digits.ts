import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Calls } from '#calls/calls.js';
import type { CallSteering } from '#calls/live/actions/call-steering.js';
import { digitsRequest, digitsSent } from '#calls/live/sessions/send-digits.js';
import { answer } from '#http/schemas/route-schema.js';
import { callPath } from './call-path.js';

/**
 * The route that presses DTMF keys in a live call, for example in the menu of a hotline. Requires the scope `write`.
 */
export const callDigitsRoutes: FastifyPluginAsyncZod<{ calls: Calls; steering: CallSteering }> = async (
  server,
  { calls, steering },
) => {
  server.route({
    method: 'POST',
    url: '/api/calls/:call_id/digits',
    config: { idempotent: true, whileDraining: true },
    schema: {
      operationId: 'sendDigits',
      summary: 'Press keys in a live call',
      description:
        'Presses keys in a live call, for example in a phone menu, at once, whoever is speaking; the ' +
        'agent pauses in mid-sentence meanwhile. If the carrier can press keys, it is asked to, and ' +
        'the response follows when it has accepted them. Otherwise the tones (ITU-T Q.23; 100 ms ' +
        'each, followed by 100 ms of silence) are put into the audio of the call, and the response ' +
        'follows after the last one: 200 ms for each key and 500 ms for each `w`.',
      tags: ['Calls'],
      params: callPath,
      body: digitsRequest,
      response: { 200: answer('The keys are pressed.', digitsSent) },
    },
    handler: async ({ principal, params, body, idempotency }) => {
      const { call_id: callId } = params;
      // Its body is made once the digits are sent.
      const kept = idempotency?.answer(200, null);
      const sent = await calls.sendDigits(principal, callId, body.digits, kept);
      await steering.note(principal, callId, 'digits');
      return sent;
    },
  });
};
