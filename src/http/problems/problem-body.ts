import { z } from 'zod';
import { Problem, PROBLEMS, type ProblemCode } from '#kernel/errors/errors.js';

const CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/** Schema of the body of every error of the API: the error responses, and `Problem` in the OpenAPI document. */
export const problemBody = z
  .object({
    error: z.string().meta({ description: 'A short fixed sentence for this kind of error.' }),
    code: z.enum(CODES).meta({ description: 'The kind of error, for programs.' }),
    message: z.string().meta({ description: 'What was wrong, for people; the wording may change.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status, repeated.' }),
    request_id: z.string().meta({ description: 'The id of the request, as in `X-Request-Id`.' }),
    details: z
      .array(
        z.object({
          field: z.string().meta({ description: 'Path of the field, such as `to_number[1].phone_number`.' }),
          code: z.string().meta({ description: 'What is wrong with the field, for programs.' }),
          message: z.string().meta({ description: 'What is wrong with the field, for people.' }),
        }),
      )
      .meta({ description: 'Every bad field; empty when the error is not about fields.' }),
  })
  .meta({
    id: 'Problem',
    description: 'An error: what kind it is, what was wrong this time, and which fields.',
    examples: [
      {
        error: 'invalid phone number format',
        code: 'invalid_phone_number',
        message: 'to_phone is not an E.164 number such as +14155550123.',
        status: 400,
        request_id: 'req_01kakb8x6te1tr7m3qf0c9w2zd',
        details: [
          {
            field: 'to_phone',
            code: 'invalid_phone_number',
            message: 'is not an E.164 number such as +14155550123',
          },
        ],
      },
    ],
  });
export type ProblemBody = z.infer<typeof problemBody>;

/** Builds the body of an error response. */
export function toProblemBody(problem: Problem, requestId: string): ProblemBody {
  const { status, sentence } = PROBLEMS[problem.code];
  return {
    error: sentence,
    code: problem.code,
    message: problem.message,
    status,
    request_id: requestId,
    details: [...problem.details],
  };
}
