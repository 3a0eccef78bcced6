-- How the voice of an agent sounds.
alter table agents add column voice_settings text not null default '{}';

-- Sentences that voices have spoken, and utterances that recognisers were given: what each has used.
create table call_speech_uses (
  call_id text not null references calls (id),
  leg text not null,
  sequence integer not null,
  provider text not null,
  model text,
  characters integer,
  sound_ms integer,
  first_sound_ms integer,
  at bigint not null,
  failure text,
  primary key (call_id, leg, sequence)
);

-- What a call has used and what that costs, as JSON; null until it is over. The known part is calls.cost_usd.
alter table calls add column usage text;
alter table calls add column cost text;
alter table calls add column cost_is_complete integer;

-- What a batch may cost, in US dollars, and how many of its calls had a cost that is not wholly known.
alter table batches add column budget_usd double precision;
alter table batches add column unknown_costs integer not null default 0;
