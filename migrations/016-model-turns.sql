-- Which turn of a call a request to a language model was for, from 1; of calls before this they are not known.
alter table call_model_uses add column turn integer;
