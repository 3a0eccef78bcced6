import { isThisMachine } from './domain.js';
import type { SettingProblem } from './setting.js';
import { objectStorageWarnings } from './object-storage.js';
import type { Settings } from './settings.js';

// Checks settings against each other and against the environment, for `readConfig`: conflicts that prevent a start, and
// warnings.

/** The conflicts between settings. Settings that are invalid by themselves are missing here, and cause no conflict. */
export function conflictsOf(settings: Partial<Settings>): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const jwt = ['JWT_JWKS_URL', 'JWT_ISSUER', 'JWT_AUDIENCE'] as const;
  if (jwt.some((name) => settings[name])) {
    for (const name of jwt) {
      if (settings[name] === null)
        problems.push({ name, reason: `must be set too: ${jwt.join(', ')} go together` });
    }
  }
  const demoRefusal = settings.DEMO ? refusalOfDemo(settings) : null;
  if (demoRefusal !== null) problems.push({ name: 'DEMO', reason: demoRefusal });
  if (settings.Environment !== 'production') return problems;
  if (settings.TELEPHONY_ALLOW_UNSIGNED) {
    problems.push({
      name: 'TELEPHONY_ALLOW_UNSIGNED',
      reason: 'must not be on in production: anybody could fake calls',
    });
  }
  if (settings.JWT_JWKS_URL?.startsWith('http:') && !isThisMachine(new URL(settings.JWT_JWKS_URL).host)) {
    problems.push({
      name: 'JWT_JWKS_URL',
      reason: 'must be https:// in production: keys fetched without encryption can be replaced on the way',
    });
  }
  return problems;
}

/**
 * Why the demonstration (setting `DEMO`) is refused; null if it is allowed. It needs the sandbox network: another
 * carrier would place real calls.
 */
function refusalOfDemo({ Environment, CARRIER = 'sandbox' }: Partial<Settings>): string | null {
  if (Environment === 'production') return 'must not be on in production';
  return CARRIER === 'sandbox'
    ? null
    : `must not be on while CARRIER is ${CARRIER}: it would call in earnest`;
}

/** Warnings for the operator that do not prevent a start. */
export function warningsOf(settings: Settings): string[] {
  const warnings: string[] = [];
  if (settings.CARRIER !== 'sandbox' && settings.DEFAULT_FROM_NUMBER === null) {
    warnings.push('DEFAULT_FROM_NUMBER is not set: carriers refuse calls that name no number of yours.');
  }
  warnings.push(...objectStorageWarnings(settings));
  if (settings.Environment !== 'production') return warnings;
  if (settings.CARRIER === 'sandbox') {
    warnings.push('CARRIER is sandbox: outbound calls are simulated, and no telephone rings.');
  }
  if (settings.SERVER_DOMAIN === null || isThisMachine(settings.SERVER_DOMAIN)) {
    warnings.push(
      'SERVER_DOMAIN names this machine only: carriers cannot reach it, nor can readers of recordings.',
    );
  }
  if (settings.API_KEYS === null && settings.JWT_JWKS_URL === null) {
    warnings.push(
      'Neither API_KEYS nor JWT_JWKS_URL is set: only keys made by `callwright keys create` are accepted.',
    );
  }
  if (!settings.SECURE_HEADERS) warnings.push('SECURE_HEADERS is off: something in front must add them.');
  return warnings;
}
