-- People signed in to the console: the cookie's and the key's SHA-256. Without a key: by the link of a local start.
create table console_sessions (
  token_hash text primary key,
  key_hash text,
  created_at bigint not null,
  expires_at bigint not null
);
create index console_sessions_oldest on console_sessions (expires_at);

-- When the first sound of a response left, in milliseconds since the first sample of the stream. Null: before this.
alter table call_turns add column sounded_at_ms integer;

-- Who spoke for the agent, where that was a person: 'operator'.
alter table transcript_entries add column spoken_by text;
