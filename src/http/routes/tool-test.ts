import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { readArguments } from '#dialogue/tools/arguments.js';
import { runHttpTool, type HttpToolParts } from '#dialogue/tools/http-tool.js';
import { agentTool, isBuiltIn } from '#dialogue/tools/tool-definition.js';
import { answer } from '#http/schemas/route-schema.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import { FreeForm } from '#kernel/input/free-form.js';
import type { Ids } from '#kernel/ids/ids.js';

/** The most characters of a tool server's response that the answer shows. */
const MAX_SHOWN_CHARACTERS = 8_000;

const toolTest = z
  .object({
    tool: agentTool.meta({ description: 'A tool, as in `tools` of an agent.' }),
    arguments: FreeForm.default({}).meta({ description: 'What the model would call it with.' }),
    variables: z
      .record(z.string().max(64), z.string().max(2_000))
      .default({})
      .meta({ description: 'Values of variables in its address and headers.' }),
  })
  .meta({
    id: 'ToolTest',
    description: 'A tool to try, and the arguments to try it with.',
    examples: [
      {
        tool: { name: 'find_slot', description: 'Free visits', url: 'https://crm.example/slots' },
        arguments: { day: '2026-12-01' },
      },
    ],
  });

const toolTestResult = z
  .object({
    status: z.string().meta({ description: '`ok`, `failed`, `timed_out` or `refused`.' }),
    result: z.string().meta({ description: 'What the model would be told.' }),
    request: z
      .object({
        method: z.string().meta({ description: 'The method.' }),
        url: z.string().meta({ description: 'The address.' }),
        headers: z.record(z.string(), z.string()).meta({ description: 'The headers.' }),
        body: z.string().nullable().meta({ description: 'The body; null for none.' }),
      })
      .nullable()
      .meta({ description: 'What was sent, secrets masked; null where nothing was.' }),
    response: z
      .object({ status: z.int(), body: z.string().meta({ description: 'The beginning of the body.' }) })
      .nullable()
      .meta({ description: 'What came back; null where nothing did.' }),
    saved: z.record(z.string(), z.string()).meta({ description: 'The variables that it would set.' }),
  })
  .meta({
    id: 'ToolTestResult',
    description: 'What became of trying a tool.',
    examples: [{ status: 'ok', result: '{"free":2}', request: null, response: null, saved: {} }],
  });

/**
 * The route that runs a customer's HTTP tool once, outside of a call, to test it before an agent has it: the tool's
 * server is really asked. Requires the scope `write`.
 */
export const toolTestRoutes: FastifyPluginAsyncZod<{
  toolParts(workspace: string): HttpToolParts;
  ids: Ids;
}> = async (server, { toolParts, ids }) => {
  server.route({
    method: 'POST',
    url: '/api/tools/test',
    schema: {
      operationId: 'testTool',
      summary: 'Try a tool',
      description: 'Runs a tool once with the given arguments: its server is really asked.',
      tags: ['Agents'],
      body: toolTest,
      response: { 200: answer('What became of it.', toolTestResult) },
    },
    handler: async ({ principal, body }) => {
      const { tool, variables } = body;
      if (isBuiltIn(tool))
        throw fieldProblem('validation_error', 'tool.type', 'is a built-in tool, which acts on a call');
      const read = readArguments(JSON.stringify(body.arguments), tool.parameters);
      if ('problem' in read)
        return { status: 'refused', result: read.problem, request: null, response: null, saved: {} };
      const call = { args: read.args, variables, callId: null, idempotencyKey: ids.next('req') };
      const {
        result,
        request,
        answer: response,
        saved,
      } = await runHttpTool(tool, call, toolParts(principal.workspace));
      return {
        status: result.status,
        result: result.text,
        request: request && {
          method: request.method,
          url: request.url,
          headers: { ...request.headers },
          body: request.body,
        },
        response: response && { ...response, body: response.body.slice(0, MAX_SHOWN_CHARACTERS) },
        saved: { ...saved },
      };
    },
  });
};
