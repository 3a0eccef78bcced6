import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '#http/openapi/openapi-document.js';

export interface AnswerToCheck {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Validates answers against an OpenAPI document. */
export class AnswerChecker {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    // A CommonJS plugin: its types and its run-time exports disagree.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document, 'api');
  }

  /** Why an answer of an operation is not as documented; null if it is. */
  complaint(path: string, method: string, answer: AnswerToCheck): string | null {
    const responses = this.#document.paths[path]![method]!.responses;
    const documented = responses[String(answer.statusCode)];
    if (!documented) return `status ${answer.statusCode} is not documented`;
    if (!documented.content) return null;
    const type = String(answer.headers['content-type']).split(';', 1)[0]!;
    if (!documented.content[type]) return `content type ${type} is not documented for ${answer.statusCode}`;
    if (type !== 'application/json') return null;
    const pointer = [
      'paths',
      path,
      method,
      'responses',
      String(answer.statusCode),
      'content',
      type,
      'schema',
    ];
    return this.#mismatch(pointer, JSON.parse(answer.body));
  }

  /** Why an error without an operation is not as documented; null if it is. */
  problemComplaint(answer: AnswerToCheck): string | null {
    return this.#mismatch(['components', 'schemas', 'Problem'], JSON.parse(answer.body));
  }

  #mismatch(pointer: readonly string[], value: unknown): string | null {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    const reference = `api#/${steps.join('/')}`;
    const validate = this.#compiled.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#compiled.set(reference, validate);
    return validate(value)
      ? null
      : `the body does not fit its schema: ${this.#ajv.errorsText(validate.errors)}`;
  }
}
