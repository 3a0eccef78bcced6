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
    schema: {
      operationId: 'sendDigits',
      summary: 'Press keys in a live call',
      description:
        'Has the carrier press keys, such as in a menu of the other side. Not every carrier can do that while a call ' +
        'streams its audio.',
      tags: ['Calls'],
      params: callPath,
      body: digitsRequest,
      response: { 200: answer('The keys are pressed.', digitsSent), ...problems(404, 409) },
    },
    handler: (request) => calls.sendDigits(request.principal, request.params.call_id, request.body.digits),
  });
};
