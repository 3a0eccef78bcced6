-- Which providers talked on a call, as JSON: ai, model, voice, transcription, and those that took another's place.
alter table calls add column providers text;
