import { ModelError, type LanguageModel } from '#dialogue/llm/language-model.js';
import { connectionError, refusalError } from '#dialogue/llm/model-errors.js';
import { modelWithFallback } from '#dialogue/llm/model-fallback.js';
import { ModelHealth, type ModelOutage } from '#dialogue/llm/model-health.js';
import type { ModelSource } from '#dialogue/llm/model-source.js';
import type { Log } from '#kernel/log/log.js';
import { installedProvider, type ImportPackage } from '#providers/ai-sdk/installed-package.js';
import {
  isConfigured,
  missingSettings,
  type CheckRequest,
  type ModelChoice,
  type ProviderDefinition,
  type ProviderParts,
  type ProviderSettings,
} from './provider-definition.js';
import { listedModels } from './listed-models.js';
import { PROVIDERS } from './registry.js';

/** What the settings of the service say of providers. */
export interface ModelsConfig {
  /** Of every provider that has settings, by its name. */
  settings: Readonly<Record<string, ProviderSettings>>;
  /** Further packages of the AI SDK. */
  packages: readonly string[];
  /** Every provider that there is; those of the registry by default. */
  definitions?: readonly ProviderDefinition[];
}

export interface ModelsParts extends ProviderParts {
  log: Log;
  importPackage?: ImportPackage;
}

/** What may be said of a model before anything is asked of it. */
export interface ModelListing {
  name: string;
  configured: boolean;
  /** Names of the settings without which it cannot be used. */
  missing: string[];
  /** Null where the agent has to name one. */
  defaultModel: string | null;
  needs_url?: true;
}

/** Why a model cannot be used at all. */
export type Unusable = 'unknown_provider' | 'not_configured' | 'no_model' | 'no_url';

/** The model that was asked for cannot be used: a matter of the agent or of the settings, not of the moment. */
export class ModelNotUsable extends Error {
  override readonly name = 'ModelNotUsable';
  readonly provider: string;
  readonly reason: Unusable;

  constructor(message: string, provider: string, reason: Unusable) {
    super(message);
    this.provider = provider;
    this.reason = reason;
  }
}

const CHECK_LIMIT_MS = 5_000;

/** The language models of this process. */
export class Models {
  readonly #providers: ReadonlyMap<string, ProviderDefinition>;
  readonly #config: ModelsConfig;
  readonly #parts: ModelsParts;
  readonly #health: ModelHealth;
  /** Of packages that the operator has installed beside the service. */
  readonly #installed: readonly ProviderDefinition[];

  constructor(config: ModelsConfig, parts: ModelsParts) {
    this.#installed = config.packages.map((name) => installedProvider(name, parts.importPackage));
    this.#providers = new Map(
      [...(config.definitions ?? PROVIDERS), ...this.#installed].map((provider) => [provider.name, provider]),
    );
    this.#config = config;
    this.#parts = parts;
    this.#health = new ModelHealth(parts);
  }

  /**
   * The model that an agent names, with those that take its place when it fails. Fallbacks that cannot be used are left
   * out. The packages are loaded in the background.
   * @throws ModelNotUsable when the first one cannot be used
   */
  resolve(choice: ModelChoice, fallbacks: readonly ModelChoice[] = []): LanguageModel {
    const usable = fallbacks.filter((one) => this.problemOf(one) === null);
    const sources = [choice, ...usable].map((one) => this.#open(one));
    return modelWithFallback(sources, { clock: this.#parts.clock, health: this.#health });
  }

  /** Why a model cannot be used; null when it can. */
  problemOf(choice: ModelChoice): ModelNotUsable | null {
    const { provider: name } = choice;
    const provider = this.#providers.get(name);
    if (provider?.model === undefined)
      return new ModelNotUsable(`there is no language model provider ${name}`, name, 'unknown_provider');
    if (!isConfigured(provider, this.#settingsOf(name)))
      return new ModelNotUsable(`${name} is not configured`, name, 'not_configured');
    if (provider.model.needsUrl && !URL.canParse(choice.url ?? ''))
      return new ModelNotUsable(`${name} needs model_settings.url`, name, 'no_url');
    if ((choice.model ?? provider.model.defaultModel(this.#settingsOf(name))) === null)
      return new ModelNotUsable(`${name} needs a model to be named`, name, 'no_model');
    return null;
  }

  /**
   * Loads what a provider needs, and asks whether its key is right and its usual model is there, at no cost, where
   * there is an address for that.
   * @throws {ModelError} when it refuses, is not reached, lists its models without that one, or its package is not
   * there
   */
  async check(name: string): Promise<void> {
    const factory = this.#providers.get(name)?.model;
    await factory?.load();
    const request = factory?.checkRequest(this.#settingsOf(name)) ?? null;
    if (request === null) return;
    const body = await this.#listOf(name, request);
    const model = factory?.defaultModel(this.#settingsOf(name)) ?? null;
    const listed = request.hasOtherNames ? null : listedModels(body);
    if (model === null || listed === null || listed.includes(model)) return;
    const why = { provider: name, failure: 'unknown_model', retryable: false } as const;
    throw new ModelError(`${name} has no model ${model}`, why);
  }

  /** The body of the list of models; empty where the server has none. @throws {ModelError} */
  async #listOf(name: string, request: CheckRequest): Promise<string> {
    const { clock } = this.#parts;
    const limit = new AbortController();
    const cancel = clock.after(CHECK_LIMIT_MS, () => limit.abort());
    try {
      const response = await this.#parts
        .fetch(request.url, { headers: request.headers, signal: limit.signal })
        .catch((error: unknown) => {
          throw connectionError(name, error);
        });
      const body = await response.text().catch(() => '');
      // Some servers have no list of models: that they answer is enough.
      if (response.ok || response.status === 404 || response.status === 405) return response.ok ? body : '';
      const header = (field: string) => response.headers.get(field);
      throw refusalError({ provider: name, status: response.status, header, body, nowMs: clock.wallMs() });
    } finally {
      cancel();
    }
  }

  /**
   * Loads the packages that the operator has a key for, or has installed: that holds the event loop up, and no call
   * should hear it. One that cannot be loaded keeps none of the others back.
   * @throws {AggregateError} of all that could not be loaded
   */
  async warmUp(): Promise<void> {
    const withKey = [...this.#providers.values()].filter((provider) => this.#hasKey(provider));
    const failures: unknown[] = [];
    for (const { model } of [...withKey, ...this.#installed])
      await model?.load().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, 'packages of language models cannot be loaded');
  }

  /** What is left out at the moment, and why. */
  outages(): ModelOutage[] {
    return this.#health.outages();
  }

  /** Every provider that an agent may name. */
  listings(): ModelListing[] {
    return [...this.#providers.values()].flatMap((provider) => {
      if (provider.model === undefined) return [];
      const settings = this.#settingsOf(provider.name);
      return [
        {
          name: provider.name,
          configured: isConfigured(provider, settings),
          missing: missingSettings(provider, settings),
          defaultModel: provider.model.defaultModel(settings),
          ...(provider.model.needsUrl && { needs_url: true as const }),
        },
      ];
    });
  }

  /** Those that settings of the operator make usable. */
  listingsWithKey(): ModelListing[] {
    return this.listings().filter(({ name }) => this.#hasKey(this.#providers.get(name)!));
  }

  /** Stops asking for those that are down. */
  close(): void {
    this.#health.close();
  }

  #open(choice: ModelChoice): ModelSource {
    const problem = this.problemOf(choice);
    const factory = this.#providers.get(choice.provider)?.model;
    if (problem !== null || factory === undefined) throw problem ?? new Error('no such provider');
    const settings = this.#settingsOf(choice.provider);
    const model = choice.model ?? factory.defaultModel(settings) ?? '';
    // A failure is met again, and told, by the first request.
    factory.load().catch(() => {});
    return factory.open(model, choice, settings, this.#parts);
  }

  #hasKey(provider: ProviderDefinition): boolean {
    return provider.configuredBy.length > 0 && isConfigured(provider, this.#settingsOf(provider.name));
  }

  #settingsOf(name: string): ProviderSettings {
    return this.#config.settings[name] ?? {};
  }
}

/** The language models that the settings allow for. */
export function openModels(config: ModelsConfig, parts: ModelsParts): Models {
  return new Models(config, parts);
}
