-- The country in which numbers for an agent are dialled, and heard by it; null for that of the setting DEFAULT_REGION.
alter table agents add column region text;
