-- The key of a recording in object storage, while it is there (storage is 's3').
alter table recordings add column object_key text;
