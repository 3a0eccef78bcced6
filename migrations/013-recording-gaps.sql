-- What of a call is not in its recording: a JSON list of { "start_ms", "end_ms" }, in milliseconds from its beginning.
-- Recordings of before count as complete: nothing else is known of them.
alter table recordings add column gaps text not null default '[]';
