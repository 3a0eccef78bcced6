-- What the agent had ready when it was cut short, and nobody heard.
alter table transcript_entries add column unheard text;
