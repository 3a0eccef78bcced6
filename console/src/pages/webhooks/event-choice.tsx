import { useOperation } from '../../api/resource.js';
import { CheckField } from '../../ui/form.js';

/** The events that a webhook receives. With none chosen it receives all but those that are sent by name only. */
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
      <p class="hint">Without a choice, all of them but call.tool_called, of which one call may have many.</p>
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
