import { walkThrough, type Walk, type Walked } from '../access/daily-walk.js';
import { defineUnits } from '../store/unit.js';
import { IS_NEEDED } from './erase-call.js';

/** What an erasure leaves of a call; see `eraseCall`. */
const IS_ERASED = `to_phone = '' and from_phone = '' and name is null and customer_data = '{}'
  and customer_context = '{}' and metadata = '{}' and record_call = 0 and enable_transcription = 0
  and outcome is null and summary is null and analysis is null`;

export const callRetentionUnits = defineUnits('call_retention', {
  /** Recordings that can be heard and were begun before an instant, by the ids of their calls. */
  recordings(tx, args: Walk): Promise<Walked> {
    return walkThrough(tx, args, {
      table: 'recordings',
      id: 'call_id',
      isTooOld: `status = 'ready' and created_at < ?`,
    });
  },

  /** Calls that ended before an instant and still tell of people, unless somebody will be called by what they tell. */
  calls(tx, args: Walk): Promise<Walked> {
    return walkThrough(tx, args, {
      table: 'calls',
      isTooOld: `ended_at < ? and not (${IS_ERASED}) and (batch_id is null or not ${IS_NEEDED})`,
    });
  },
});
