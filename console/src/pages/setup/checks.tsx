// What works, from the outside in: the service, telephones, models, voices, recognisers, the microphone of this browser.
import { useState } from 'preact/hooks';
import { openMicrophone, type Microphone } from '../../audio/sound.js';
import type { Schemas } from '../../api/openapi.js';
import { useOperation } from '../../api/resource.js';
import { useAction } from '../../ui/actions.js';
import { Card, Loaded, Status } from '../../ui/parts.js';
import { Level } from '../call/steering.js';

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
      <MicrophoneCheck />
      <Loaded from={providers}>
        {(all) => (
          <div class="columns">
            {KINDS.map(([kind, name, without]) => (
              <Card key={kind} title={name}>
                <div class="stack tight">
                  <p class="quiet small">{without}</p>
                  <ul class="plain-list">
                    {all[kind].map((provider) => (
                      <li key={provider.name} class="row between top">
                        <span>
                          {provider.name}
                          {!provider.configured && provider.missing && (
                            <span class="small quiet break"> set {provider.missing.join(', ')}</span>
                          )}
                        </span>
                        <Status
                          of={provider.configured ? 'ready' : 'not configured'}
                          tone={provider.configured ? 'good' : ''}
                        />
                      </li>
                    ))}
                  </ul>
                </div>
              </Card>
            ))}
          </div>
        )}
      </Loaded>
    </div>
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
