-- Metrics count the recordings that wait for their upload: without reading all other jobs.
create index jobs_uploads on jobs (due_at, call_id) where kind = 'upload';
