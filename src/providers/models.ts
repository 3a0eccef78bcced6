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
import { modelNamesIn } from './model-list.js';
import { PROVIDERS } from './registry.js';

/** The settings from which {@link Models} are made. */
export interface ModelsConfig {
  /** Settings per provider name. */
  settings: Readonly<Record<string, ProviderSettings>>;
  /** Additional packages of the AI SDK. */
  packages: readonly string[];
  /** All providers; default those of the registry. */
  definitions?: readonly ProviderDefinition[];
}

/** The dependencies of {@link Models}. */
export interface ModelsParts extends ProviderParts {
  log: Log;
  /** Loads the additional packages; tests replace it. */
  importPackage?: ImportPackage;
}

/** A provider of models as it is listed, by its settings alone. */
export interface ModelListing {
  name: string;
  configured: boolean;
  /** Names of the environment variables that are missing. */
  missing: string[];
  /** Null if the agent has to name a model. */
  defaultModel: string | null;
  /** Present if the agent has to name the address of its server. */
  needs_url?: true;
}

/** Why no request to a model is possible, by the error codes of the API. */
export type UnusableReason = 'unknown_provider' | 'not_configured' | 'no_model' | 'no_url';

/** The requested model cannot be used, because of the agent's definition or the settings. A retry does not help. */
export class ModelNotUsable extends Error {
  override readonly name = 'ModelNotUsable';
  readonly provider: string;
  readonly reason: UnusableReason;

  constructor(message: string, provider: string, reason: UnusableReason) {
    super(message);
    this.provider = provider;
    this.reason = reason;
  }
}

/** Timeout of the request in `Models.check`. */
const CHECK_TIMEOUT_MS = 5_000;

/**
 * The language models of this process: resolves a named model to one that calls can use, with fallbacks and health
 * probes. It also loads the providers' packages, and lists and checks the providers for the doctor command, the console
 * and the API.
 */
export class Models {
  readonly #providers: ReadonlyMap<string, ProviderDefinition>;
  readonly #config: ModelsConfig;
  readonly #parts: ModelsParts;
  readonly #health: ModelHealth;
  /** Packages installed by the operator. */
  readonly #installedPackages: readonly ProviderDefinition[];

  constructor(config: ModelsConfig, parts: ModelsParts) {
    this.#installedPackages = config.packages.map((name) => installedProvider(name, parts.importPackage));
    this.#providers = new Map(
      [...(config.definitions ?? PROVIDERS), ...this.#installedPackages].map((provider) => [
        provider.name,
        provider,
      ]),
    );
    this.#config = config;
    this.#parts = parts;
    this.#health = new ModelHealth(parts);
  }

  /**
   * Opens the named model with its fallbacks, skipping fallbacks that cannot be used. Opens no connection; packages are
   * loaded in the background.
   * @throws ModelNotUsable if `choice` cannot be used
   */
  resolve(choice: ModelChoice, fallbacks: readonly ModelChoice[] = []): LanguageModel {
    const usable = fallbacks.filter((fallback) => this.problemOf(fallback) === null);
    const sources = [choice, ...usable].map((usableChoice) => this.#open(usableChoice));
    return modelWithFallback(sources, { clock: this.#parts.clock, health: this.#health });
  }

  /** Why a model cannot be used; null if it can. */
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
   * Loads a provider's package and checks key and default model by a free request, if the provider has one.
   * @throws {ModelError} if the provider refuses, is unreachable or does not list the model, or the package is
   *   missing
   */
  async check(name: string): Promise<void> {
    const factory = this.#providers.get(name)?.model;
    await factory?.load();
    const request = factory?.checkRequest(this.#settingsOf(name)) ?? null;
    if (request === null) return;
    const body = await this.#fetchModelList(name, request);
    const model = factory?.defaultModel(this.#settingsOf(name)) ?? null;
    const listed = request.hasOtherNames ? null : modelNamesIn(body);
    if (model === null || listed === null || listed.includes(model)) return;
    const details = { provider: name, failure: 'unknown_model', retryable: false } as const;
    throw new ModelError(`${name} has no model ${model}`, details);
  }

  /** Fetches a provider's list of models: the body, empty if the server has no list. @throws {ModelError} */
  async #fetchModelList(name: string, request: CheckRequest): Promise<string> {
    const { clock } = this.#parts;
    const timeout = new AbortController();
    const cancel = clock.after(CHECK_TIMEOUT_MS, () => timeout.abort());
    try {
      const response = await this.#parts
        .fetch(request.url, { headers: request.headers, signal: timeout.signal })
        .catch((error: unknown) => {
          throw connectionError(name, error);
        });
      const body = await response.text().catch(() => '');
      // Some servers have no list of models: any answer shows that they are up.
      if (response.ok || response.status === 404 || response.status === 405) return response.ok ? body : '';
      const header = (field: string) => response.headers.get(field);
      throw refusalError({ provider: name, status: response.status, header, body, nowMs: clock.wallMs() });
    } finally {
      cancel();
    }
  }

  /**
   * Loads the packages of providers with settings, and those that the operator installed. Loading blocks the event
   * loop, which calls would notice, so it happens at the start. A failure does not stop the others.
   * @throws {AggregateError} with every failure
   */
  async warmUp(): Promise<void> {
    const withKey = [...this.#providers.values()].filter((provider) => this.#hasKey(provider));
    const failures: unknown[] = [];
    for (const { model } of [...withKey, ...this.#installedPackages])
      await model?.load().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, 'packages of language models cannot be loaded');
  }

  /** The models that are out of use at present, and why. */
  outages(): ModelOutage[] {
    return this.#health.outages();
  }

  /** Every provider with language models, configured or not. */
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

  /**
   * The listings of the providers that the operator's settings make usable; those that need no settings are left out.
   */
  listingsWithKey(): ModelListing[] {
    return this.listings().filter(({ name }) => this.#hasKey(this.#providers.get(name)!));
  }

  /** Stops the health probes. */
  close(): void {
    this.#health.close();
  }

  /** The source of a model's answers. @throws ModelNotUsable */
  #open(choice: ModelChoice): ModelSource {
    const problem = this.problemOf(choice);
    const factory = this.#providers.get(choice.provider)?.model;
    if (problem !== null || factory === undefined) throw problem ?? new Error('no such provider');
    const settings = this.#settingsOf(choice.provider);
    const model = choice.model ?? factory.defaultModel(settings) ?? '';
    // Begins to load the package. A failure is ignored here: the first request loads again and reports it.
    factory.load().catch(() => {});
    return factory.open(model, choice, settings, this.#parts);
  }

  /** True if the operator has set what the provider needs; false for a provider that needs nothing. */
  #hasKey(provider: ProviderDefinition): boolean {
    return provider.configuredBy.length > 0 && isConfigured(provider, this.#settingsOf(provider.name));
  }

  #settingsOf(name: string): ProviderSettings {
    return this.#config.settings[name] ?? {};
  }
}

/** Creates {@link Models}. */
export function openModels(config: ModelsConfig, parts: ModelsParts): Models {
  return new Models(config, parts);
}
