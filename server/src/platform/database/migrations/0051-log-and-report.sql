-- Readable by 0039-narrow-columns.sql and later.

-- Whether an alert was raised while its rule was silenced or its device in a maintenance window, so that nobody was notified. Occurrences of windows are not
-- kept, so that it cannot be told later; of alerts that were raised before, those of silenced rules are told by the silences.
ALTER TABLE alerts ADD COLUMN was_silent boolean NOT NULL DEFAULT false;
UPDATE alerts a SET was_silent = true FROM silences s
 WHERE s.rule_key = a.rule_key AND s.created_time <= a.created_time AND coalesce(s.ended_time, s.end_time) > a.created_time;

-- The alert log by the name of a contact who confirmed.
CREATE INDEX alerts_of_contact ON alerts (plant_id, created_time DESC) WHERE accepted_name IS NOT NULL;
