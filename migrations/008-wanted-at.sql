-- When a call was to be dialled at first: however often the policy puts it off, that counts from here.
alter table dial_attempts add column wanted_at bigint not null default 0;
update dial_attempts set wanted_at = due_at where status <> 'ended';
-- Numbers of batches whose calls were erased are erased as well.
update batch_recipients set phone_number = '', name = null, label = null
where status not in ('pending', 'paused', 'dialling', 'retry_wait') and call_id in (
  select id from calls where batch_id is not null and to_phone = ''
);
