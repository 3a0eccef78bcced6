-- What an agent does when a machine has answered (JSON).
alter table agents add column voicemail text not null default '{"action":"hang_up"}';
