// What is set up, what is missing, and the lists that an administrator keeps. Each part has an address of its own.
import type { ComponentType } from 'preact';
import { Link } from 'wouter-preact';
import type { PageProps } from '../../app.js';
import { Page } from '../../ui/parts.js';
import { Checks } from './checks.js';
import { Keys } from './keys.js';
import { PhoneNumbers } from './phone-numbers.js';
import { Secrets } from './secrets.js';
import { Settings } from './settings.js';
import { Suppressions } from './suppressions.js';

const PARTS: [string, string, ComponentType][] = [
  ['checks', 'Checks', Checks],
  ['numbers', 'Phone numbers', PhoneNumbers],
  ['keys', 'API keys', Keys],
  ['secrets', 'Secrets', Secrets],
  ['suppressions', 'Suppressions', Suppressions],
  ['settings', 'Settings', Settings],
];

export function SetupPage({ params }: PageProps) {
  const chosen = params['part'] ?? 'checks';
  const Part = PARTS.find(([part]) => part === chosen)?.[2] ?? Checks;
  return (
    <Page title="Setup">
      <nav class="row views" aria-label="Parts of the setup">
        {PARTS.map(([part, name]) => (
          <Link key={part} class="button small" href={`/setup/${part}`} aria-current={part === chosen}>
            {name}
          </Link>
        ))}
      </nav>
      <Part />
    </Page>
  );
}
