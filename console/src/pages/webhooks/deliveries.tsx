// Deliveries of events, as lists show them.
import { Link } from 'wouter-preact';
import type { Schemas } from '../../api/openapi.js';
import { milliseconds, words } from '../../ui/format.js';
import { Moment, Status } from '../../ui/parts.js';
import type { Column } from '../../ui/table.js';

export const deliveryColumns: Column<Schemas['WebhookDelivery']>[] = [
  {
    name: 'Event',
    cell: ({ id, event_type: type }) => <Link href={`/webhooks/deliveries/${id}`}>{type}</Link>,
  },
  { name: 'State', cell: ({ status }) => <Status of={status} /> },
  { name: 'To', cell: ({ url }) => <span class="break">{url}</span>, isWide: true },
  {
    name: 'Answer',
    cell: ({ response_status: status, error }) => status ?? words(error),
  },
  { name: 'Took', cell: ({ response_time_ms: took }) => milliseconds(took), isNumeric: true, isWide: true },
  {
    name: 'Attempt',
    cell: ({ attempt, max_attempts: most }) => `${attempt} of ${most}`,
    isNumeric: true,
    isWide: true,
  },
  { name: 'When', cell: ({ created_at: at }) => <Moment at={at} /> },
];
