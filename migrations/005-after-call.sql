-- Summary and transcript are announced with the analysis, by the same piece of work. Where an announcement was still
-- to come, the analysis is done again, so that it does come.
update jobs set status = 'pending', attempts = 0, lease_until = null
where kind = 'analysis' and call_id in (
  select call_id from jobs where kind in ('summary', 'transcript') and status in ('pending', 'running')
);
delete from jobs where kind in ('summary', 'transcript');
