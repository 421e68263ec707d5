-- A minute may hold more readings than a smallint counts. A column of its own, because to change the type of `minute_count` would write the whole
-- table anew, which is hours of standstill and twice the disk where years are packed. Rows packed before keep theirs in `minute_count`.
ALTER TABLE packed_hours ADD COLUMN minute_counts int[];
