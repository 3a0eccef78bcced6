import { ModelError } from '#dialogue/llm/language-model.js';
import { fillHeader, secretsIn } from '#dialogue/tools/templates.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { ModelChoice } from '#providers/provider-definition.js';

/**
 * The headers of one request to a customer's own model server: the headers that the agent sets, with the secrets of the
 * workspace filled in, and a signature of the body. Without an owner (the workspace) there are neither secrets nor a
 * signature. Used by the provider `custom`.
 * @throws {ModelError} if a secret is missing or is no valid header value
 */
export async function customServerHeaders(
  { headers = {}, owner }: ModelChoice,
  body: string,
  ids: Pick<Ids, 'next'>,
): Promise<Record<string, string>> {
  const names = secretsIn(Object.values(headers));
  const [secrets = {}, signature] = await Promise.all([
    owner?.secrets(names),
    owner?.sign({ id: ids.next('req'), body }),
  ]);
  const missing = names.find((name) => !Object.hasOwn(secrets, name));
  if (missing !== undefined) throw credentialsError(`there is no secret ${missing}`);
  const filled = Object.entries(headers).map(([name, value]) => [name, headerOf(value, secrets)]);
  return { ...Object.fromEntries(filled), ...signature };
}

/** A header value with the secrets filled in. @throws {ModelError} if a secret has a line break */
function headerOf(text: string, secrets: Readonly<Record<string, string>>): string {
  try {
    return fillHeader(text, { secrets, variables: {} });
  } catch {
    throw credentialsError('a secret holds a line break and makes no header');
  }
}

function credentialsError(problem: string): ModelError {
  const details = { provider: 'custom', failure: 'refused_credentials', retryable: false } as const;
  return new ModelError(`custom: ${problem}`, details);
}
