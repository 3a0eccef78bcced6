import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Calls } from '../../calls/calls.js';
import { digitsRequest, digitsSent } from '../../calls/send-digits.js';
import { answer, problems } from '../route-schema.js';
import { callPath } from './call-path.js';

/** `POST /api/calls/{call_id}/digits` (our choice). */
export const callDigitsRoutes: FastifyPluginAsyncZod<{ calls: Calls }> = async (server, { calls }) => {
  server.route({
    method: 'POST',
    url: '/api/calls/:call_id/digits',
    config: { idempotent: true },
    schema: {
      operationId: 'sendDigits',
      summary: 'Press keys in a live call',
      description:
        'Presses keys, such as in a menu of the other side, at once, whoever is speaking; the agent pauses meanwhile in ' +
        'the middle of its sentence. Where the carrier has a way to press keys, it is asked to, and the answer comes when ' +
        'it has taken them. Everywhere else the tones of the keys (ITU-T Q.23; 100 ms each, and as long a pause) are put ' +
        'into the sound of the call, and the answer comes when the last one was sent: after 200 ms for each key, and ' +
        '500 ms for each `w`.',
      tags: ['Calls'],
      params: callPath,
      body: digitsRequest,
      response: { 200: answer('The keys are pressed.', digitsSent), ...problems(404, 409) },
    },
    handler: ({ principal, params, body, idempotency }) =>
      calls.sendDigits(principal, params.call_id, body.digits, idempotency?.answer(200, null)),
  });
};
