import type { AgentRow, AgentWarning } from './agent.js';

/** A provider that this house knows, and whether it can be used as it is set up. */
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
  return [...warnings, ...speechWarnings(agent, providers)];
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
      message: `language '${agent.language}' is kept, but '${limited.name}' knows only: ${known}.`,
    });
  }
  return warnings;
}

/** A provider as it is known here; undefined for one that cannot be used. */
function listingOf(name: string, known: readonly ProviderListing[]): ProviderListing | undefined {
  return known.find((provider) => provider.name === name && provider.configured);
}
