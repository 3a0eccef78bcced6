import type { LanguageModelV3 } from '@ai-sdk/provider';
import { ModelError } from '#dialogue/llm/language-model.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import { modelAccountOf, usesOperatorsAccount } from '#providers/wire/account.js';
import { withBody, withHeaders } from '#providers/wire/changed-request.js';
import { aiSdkSource, type MakeModel } from './ai-sdk-source.js';

/** Imports a package by name and returns its exports; tests replace it. */
export type ImportPackage = (name: string) => Promise<Readonly<Record<string, unknown>>>;

/**
 * The definition of an AI SDK provider that the operator has installed next to the service and named in
 * `AI_SDK_PROVIDERS`, such as `@ai-sdk/amazon-bedrock`. Agents name it by the last part of the package name
 * (`amazon-bedrock`). The package reads its keys from the environment variables of its own documentation. Loading
 * rejects with a ModelError if the package is missing or belongs to another version of the AI SDK. Used by `Models`.
 */
export function installedProvider(
  packageName: string,
  importPackage: ImportPackage = importFromNode,
): ProviderDefinition {
  const name = packageName.split('/').at(-1) ?? packageName;
  const load = () =>
    importPackage(packageName).catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ERR_MODULE_NOT_FOUND';
      throw packageError(packageName, isMissing ? 'is not installed' : `cannot be loaded (${error.name})`);
    });
  return {
    name,
    prefix: name.toUpperCase().replace(/\W/g, '_'),
    settings: {},
    configuredBy: [],
    model: {
      defaultModel: () => null,
      open: (model, choice, _settings, parts) =>
        aiSdkSource({
          provider: name,
          model,
          account: modelAccountOf(name, packageName, choice),
          usesOperatorsAccount: usesOperatorsAccount(choice),
          mayBeProbed: true,
          fetch: withHeaders(withBody(parts.fetch, choice.extraBody), { ...choice.headers }),
          wallMs: () => parts.clock.wallMs(),
          // The package parses its answers itself: Bedrock, for example, does not send an event stream.
          repairs: null,
          load: async () => modelMaker(packageName, await load(), model),
        }),
      load,
      checkRequest: () => null,
    },
  };
}

const importFromNode: ImportPackage = (name) => import(name) as Promise<Readonly<Record<string, unknown>>>;

/** Finds the package's factory function, named `create…`. */
function modelMaker(
  packageName: string,
  exports: Readonly<Record<string, unknown>>,
  model: string,
): MakeModel {
  const create = Object.entries(exports).find(
    ([name, value]) => /^create[A-Z]/.test(name) && typeof value === 'function',
  )?.[1] as
    ((options: { fetch: typeof fetch }) => { languageModel(model: string): LanguageModelV3 }) | undefined;
  if (create === undefined) throw packageError(packageName, 'has no function that makes a provider');
  return (fetch) => {
    const languageModel = create({ fetch }).languageModel(model);
    // The version of the AI SDK's interface that this service was built for.
    if (languageModel.specificationVersion !== 'v3')
      throw packageError(packageName, 'is of another line of the AI SDK: install one of AI SDK 6');
    return languageModel;
  };
}

function packageError(packageName: string, why: string): ModelError {
  return new ModelError(`${packageName} ${why}`, {
    provider: packageName,
    failure: 'bad_request',
    retryable: false,
  });
}
