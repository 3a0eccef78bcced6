-- What an agent does when a machine has answered (JSON).
alter table agents add column voicemail text not null default '{"action":"hang_up"}';

-- Who is asked about calls that come in, before they are answered, and what the question is signed with.
alter table agents add column lookup_url text;
alter table agents add column lookup_secret text;
alter table phone_numbers add column lookup_url text;
alter table phone_numbers add column lookup_secret text;
