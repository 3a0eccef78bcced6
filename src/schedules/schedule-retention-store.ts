import { walkThrough, type Walk, type Walked } from '../access/daily-walk.js';
import { defineUnits } from '../store/unit.js';
import { purgeSchedule } from './changes/schedule-commands.js';

/** So many of these are removed in one transaction; events take their deliveries with them. */
const EVENTS_AT_ONCE = 20;
const EXECUTIONS_AT_ONCE = 500;

/** Of schedules that call nobody any more, for as long as nobody begins them again. Takes an instant. */
const IS_OVER = `status in ('completed', 'failed', 'cancelled') and updated_at < ?
  and not exists (select 1 from executions where executions.schedule_id = schedules.id
    and executions.status in ('pending', 'held', 'in_progress'))`;

export const scheduleRetentionUnits = defineUnits('schedule_retention', {
  /** Schedules that were over before an instant. */
  over(tx, args: Walk): Promise<Walked> {
    return walkThrough(tx, args, { table: 'schedules', isTooOld: IS_OVER });
  },

  /**
   * Removes one of them, with its history and with what was told of it: a part of it, where that is long. True when nothing
   * is left, or when it is to stay after all.
   */
  async remove(tx, args: { id: string; before: number; at: number }): Promise<boolean> {
    const { id, before, at } = args;
    await tx.get(`select id from schedules where id = ?${tx.dialect.forUpdate}`, id);
    const over = await tx.get(`select webhook_id from schedules where id = ? and ${IS_OVER}`, id, before);
    if (!over) return true;
    const events = await tx.run(
      'delete from events where id in (select id from events where subject_id = ? limit ?)',
      id,
      EVENTS_AT_ONCE,
    );
    if (events === EVENTS_AT_ONCE) return false;
    const executions = await tx.run(
      'delete from executions where id in (select id from executions where schedule_id = ? limit ?)',
      id,
      EXECUTIONS_AT_ONCE,
    );
    if (executions === EXECUTIONS_AT_ONCE) return false;
    // What cannot be read goes like everything else.
    const webhookId = over['webhook_id'];
    await purgeSchedule(tx, { id, webhook_id: typeof webhookId === 'string' ? webhookId : null }, at);
    return true;
  },
});
