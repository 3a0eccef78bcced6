-- The zone in which the time of a batch was asked for, where one was named: a new time without an offset is read in it.
alter table batches add column timezone text;
