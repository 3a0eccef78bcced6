-- Languages that a talk may change to, and the one that each entry was spoken in.
alter table agents add column languages text not null default '[]';
alter table transcript_entries add column language text;
-- What the carrier itself says that a call cost, in US dollars; it may tell after the end.
alter table calls add column carrier_price_usd double precision;
