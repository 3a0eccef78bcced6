-- The folder of recordings that a process has (a random name that the folder keeps); processes may share one.
alter table nodes add column folder_id text;
-- Where the file of a recording lies, as long as it is on a disk.
alter table recordings add column folder_id text;
-- Parts of a recording that were begun to be stored while its call went on, and the bytes of sound in those that were.
alter table recordings add column parts integer not null default 0;
alter table recordings add column part_bytes bigint not null default 0;
-- The folder that a piece of work is about: processes that have another leave it alone. Null: any process does it.
alter table jobs add column folder_id text;
