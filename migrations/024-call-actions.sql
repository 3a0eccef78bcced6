-- What is asked of a live call that another process carries. That process takes the row, does what it says, and answers.
create table call_actions (
  id text primary key,
  call_id text not null references calls (id),
  -- The process that carries the call, and the one that asks and waits for the answer.
  node_id text not null,
  asked_by text not null,
  status text not null,
  -- What to do, and who wants it: an empty object once it is answered.
  action text not null,
  principal text,
  answer text,
  created_at bigint not null
);
create index call_actions_waiting on call_actions (node_id) where status = 'waiting';
create index call_actions_oldest on call_actions (created_at);
create index call_actions_of_call on call_actions (call_id);
