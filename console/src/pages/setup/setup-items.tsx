import { useOperation } from '../../api/resource.js';
import { words } from '../../ui/format.js';
import { Card, Loaded, Status } from '../../ui/parts.js';

const TONES: Record<string, string> = { ready: 'good', trial: 'warn', missing: 'bad' };

/** What real calls need, how each stands, and the next thing to do. */
export function SetupItems() {
  const setup = useOperation('GET /api/setup');
  return (
    <Card title="What real calls need">
      <Loaded from={setup}>
        {({ items }) => (
          <ul class="next-steps">
            {items.map(({ name, status, detail, next }) => (
              <li key={name}>
                <strong>{words(name)}</strong>
                <Status of={status} tone={TONES[status] ?? ''} />
                <span>
                  {detail} {next && <span class="quiet">{next}</span>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
