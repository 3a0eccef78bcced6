import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useOperation } from '../../api/resource.js';
import { TextField } from '../../ui/form.js';
import { Card, Loaded, Moment, Page } from '../../ui/parts.js';

export function NumbersPage() {
  const [, navigate] = useLocation();
  const [number, setNumber] = useState('');
  const calls = useOperation('GET /api/calls', { query: { limit: 50 } });
  return (
    <Page
      title="Numbers"
      lead="Why a number was or was not called, whether it may be called now, and all its calls."
    >
      <Card>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            navigate(`/numbers/${encodeURIComponent(number.trim())}`);
          }}
        >
          <TextField
            class="wide"
            label="Phone number"
            type="tel"
            placeholder="+14155550100"
            hint="With its country."
            value={number}
            onInput={setNumber}
          />
          <button type="submit" class="primary" disabled={number.trim() === ''}>
            Look it up
          </button>
        </form>
      </Card>
      <Card title="Called lately">
        <Loaded from={calls}>
          {({ data }) => {
            const seen = new Map<string, string>();
            for (const call of data) {
              const other = call.direction === 'outbound' ? call.to_phone : call.from_phone;
              if (other !== '' && !seen.has(other)) seen.set(other, call.created_at);
            }
            if (seen.size === 0) return <p class="quiet">Numbers show here once there are calls.</p>;
            return (
              <ul class="plain-list">
                {[...seen].map(([other, at]) => (
                  <li key={other}>
                    <Link href={`/numbers/${encodeURIComponent(other)}`}>{other}</Link>{' '}
                    <span class="quiet small">
                      <Moment at={at} />
                    </span>
                  </li>
                ))}
              </ul>
            );
          }}
        </Loaded>
      </Card>
    </Page>
  );
}
