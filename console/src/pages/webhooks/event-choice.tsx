import { useOperation } from '../../api/resource.js';
import { CheckField } from '../../ui/form.js';

/** Which events a receiver is told of; none chosen means all. */
export function EventChoice({
  chosen,
  onChange,
}: {
  chosen: string[];
  onChange: (events: string[]) => void;
}) {
  const types = useOperation('GET /v1/webhooks/event-types');
  return (
    <fieldset class="field">
      <legend>Events</legend>
      <p class="hint">Without a choice, all of them.</p>
      <div class="columns">
        {(types.data?.data ?? []).map(({ event_type: type }) => (
          <CheckField
            key={type}
            label={type}
            checked={chosen.includes(type)}
            onInput={(isOn) => onChange(isOn ? [...chosen, type] : chosen.filter((one) => one !== type))}
          />
        ))}
      </div>
    </fieldset>
  );
}
