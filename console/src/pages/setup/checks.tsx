// What works, from the outside in: the service, telephones, models, voices, recognisers, the microphone of this browser.
import { useState } from 'preact/hooks';
import { openMicrophone, type Microphone } from '../../audio/sound.js';
import type { Schemas } from '../../api/openapi.js';
import { useOperation } from '../../api/resource.js';
import { useAction } from '../../ui/actions.js';
import { plural } from '../../ui/format.js';
import { Card, Loaded, Status } from '../../ui/parts.js';
import { Level } from '../call/steering.js';
import { SetupItems } from './setup-items.js';

const KINDS: [keyof Schemas['Providers'], string, string][] = [
  ['telephony', 'Telephones', 'Without a carrier, calls stay in the sandbox network.'],
  ['ai', 'Language models', 'Without one, agents follow playbooks.'],
  ['voice', 'Voices', 'The built-in voice needs nothing.'],
  ['transcription', 'Recognisers', 'The built-in one needs nothing.'],
];

export function Checks() {
  const providers = useOperation('GET /api/providers');
  return (
    <div class="stack">
      <SetupItems />
      <MicrophoneCheck />
      <Loaded from={providers}>
        {(all) => (
          <div class="columns">
            {KINDS.map(([kind, name, without]) => (
              <Card key={kind} title={name}>
                <div class="stack tight">
                  <p class="quiet small">{without}</p>
                  <ProviderList providers={all[kind]} />
                </div>
              </Card>
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}

/** Those that are ready; the others, and what each needs, on demand. */
function ProviderList({ providers }: { providers: Schemas['Provider'][] }) {
  const others = providers.filter(({ configured }) => !configured);
  return (
    <>
      <ul class="plain-list">
        {providers
          .filter(({ configured }) => configured)
          .map(({ name }) => (
            <li key={name} class="provider">
              {name} <Status of="ready" tone="good" />
            </li>
          ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{plural(others.length, 'other')} can be configured</summary>
          <ul class="plain-list small">
            {others.map(({ name, missing = [] }) => (
              <li key={name}>
                {name} <span class="quiet break">{missing.length > 0 && `set ${missing.join(', ')}`}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function MicrophoneCheck() {
  const [microphone, setMicrophone] = useState<Microphone | null>(null);
  const { run, problem } = useAction(async () => setMicrophone(await openMicrophone(() => {})), true);
  const stop = (): void => {
    microphone?.close();
    setMicrophone(null);
  };
  return (
    <Card
      title="Microphone of this browser"
      actions={
        <button type="button" onClick={microphone ? stop : run}>
          {microphone ? 'Stop' : 'Test it'}
        </button>
      }
    >
      {microphone ? (
        <Level of={microphone} />
      ) : (
        <p class="quiet">Needed to talk to agents and to take over calls.</p>
      )}
      {problem && <p class="notice bad">{problem.message}</p>}
    </Card>
  );
}
