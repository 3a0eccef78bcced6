import { closeName } from '#kernel/input/close-name.js';
import { learntBy } from '#playbook/book/playbook-texts.js';
import { OWN_VARIABLES, singleBraces, variablesOf } from '#dialogue/variables.js';
import { textsOfAgent } from './agent-texts.js';
import type { AgentRow, AgentWarning } from './agent.js';

/** Longer names are cut in warnings. */
const LONGEST_FIELD = 64;
/** What nearly every call brings: the name of whom it is to. */
const USUAL_VARIABLE = 'name';

/** A provider that this service knows, and whether it can be used as it is set up. */
export interface ProviderListing {
  name: string;
  configured: boolean;
  /** The voices that it has; left out where they are not known beforehand. */
  voices?: readonly string[];
  /** The languages that it can do, as the first letters of their tags; left out where it can do any. */
  languages?: readonly string[];
}

/** The providers that agents may name. */
export interface AgentProviders {
  ai: readonly ProviderListing[];
  voice: readonly ProviderListing[];
  transcription: readonly ProviderListing[];
}

/** What of an agent will not work as asked: any provider name is kept, but calls can only use what is configured. */
export function warningsFor(agent: AgentRow, providers: AgentProviders): AgentWarning[] {
  const named: readonly [field: string, name: string | null, known: readonly ProviderListing[]][] = [
    ['ai_provider', agent.ai_provider, providers.ai],
    ['voice_provider', agent.voice_provider, providers.voice],
    ['transcription_provider', agent.transcription_provider, providers.transcription],
  ];
  const warnings: AgentWarning[] = named
    .filter(([, name, known]) => name !== null && !listingOf(name, known))
    .map(([field, name]) => ({
      code: 'provider_not_configured',
      message: `${field} '${name}' is not configured here; calls use 'builtin'.`,
    }));
  if (agent.tools.length > 0 && agent.ai_provider === 'builtin') {
    warnings.push({
      code: 'tools_not_used',
      message: "tools are kept, but ai_provider 'builtin' follows the playbook alone.",
    });
  }
  if (agent.system_prompt && agent.ai_provider === 'builtin') {
    warnings.push({
      code: 'system_prompt_not_used',
      message: "system_prompt is kept, but ai_provider 'builtin' follows the playbook alone.",
    });
  }
  return [
    ...warnings,
    ...speechWarnings(agent, providers),
    ...braceWarnings(agent),
    ...variableWarnings(agent),
  ];
}

/** What was sent and is no field of an agent: passed over, as everywhere, but seldom meant to be. */
export function ignoredWarnings(fields: readonly string[]): AgentWarning[] {
  return fields.map((field) => ({
    code: 'field_not_known',
    message: `${field.slice(0, LONGEST_FIELD)} is no field of an agent; it was passed over.`,
  }));
}

/** Texts with `{name}` in them: read out as they are. */
function braceWarnings(agent: AgentRow): AgentWarning[] {
  return textsOfAgent(agent).flatMap(({ field, text }) => {
    const found = singleBraces(text);
    if (found === null) return [];
    return [
      {
        code: 'single_braces' as const,
        message: `${field} holds ${found}, which is read out; variables are written {{name}}.`,
      },
    ];
  });
}

/**
 * Variables that are one slip away from one that is filled in every call, or that calls usually bring. Any other name
 * may come with the data of a call.
 */
function variableWarnings(agent: AgentRow): AgentWarning[] {
  const filled = new Set([...OWN_VARIABLES, ...learntBy(agent.playbook), USUAL_VARIABLE]);
  return textsOfAgent(agent).flatMap(({ field, text }) =>
    variablesOf([text]).flatMap((name) => {
      const meant = filled.has(name) ? null : closeName(name, filled);
      if (meant === null) return [];
      const message = `${field} holds {{${name}}}, which only the data of a call can fill; {{${meant}}} is close to it.`;
      return [{ code: 'variable_not_known' as const, message }];
    }),
  );
}

/** What a provider that can be used does not have of what is asked of it. */
function speechWarnings(agent: AgentRow, providers: AgentProviders): AgentWarning[] {
  const warnings: AgentWarning[] = [];
  const voice = listingOf(agent.voice_provider, providers.voice);
  if (agent.voice !== null && voice?.voices && !voice.voices.includes(agent.voice)) {
    const known = voice.voices.join(', ');
    warnings.push({
      code: 'voice_not_known',
      message: `voice '${agent.voice}' is none of '${voice.name}' (${known}); calls use its usual one.`,
    });
  }
  const hearing = listingOf(agent.transcription_provider ?? 'builtin', providers.transcription);
  const tag = agent.language.toLowerCase().split('-')[0]!;
  const limited = [voice, hearing].find((listing) => listing?.languages && !listing.languages.includes(tag));
  if (limited?.languages) {
    const known = limited.languages.join(', ');
    warnings.push({
      code: 'language_not_known',
      message:
        `language '${agent.language}' is kept, but '${limited.name}' speaks and hears only: ${known}. Calls read out the ` +
        `texts, and hear what callers say, as if it were that.`,
    });
  }
  return warnings;
}

/** A provider as it is known here; undefined for one that cannot be used. */
function listingOf(name: string, known: readonly ProviderListing[]): ProviderListing | undefined {
  return known.find((provider) => provider.name === name && provider.configured);
}
