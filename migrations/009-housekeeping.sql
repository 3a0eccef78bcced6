-- Up to which instant things that are too old were forgotten: the next start goes on from here, whatever its clock says.
create table housekeeping (
  name text primary key,
  reached_at bigint not null
);
insert into housekeeping (name, reached_at)
select 'reached', max(updated_at) from calls having count(*) > 0;

-- After-call work that is done is nobody's business any more: from now on its row goes at once.
delete from jobs where status = 'done';
-- Attempts to dial that are over go after a while.
create index dial_attempts_ended on dial_attempts (updated_at) where status = 'ended';
-- Runs of schedules that are too old go as well; how many calls they made stays known.
alter table schedules add column forgotten_calls integer not null default 0;
