-- What readings raise is one entry an occurrence, also when the answer to a commit was lost and the commit itself came late, while the
-- same readings were judged again: the same rule and the same moment are the same occurrence.
DELETE FROM alerts a USING alerts b
 WHERE a.alarm_class IN (1, 2) AND b.rule_key = a.rule_key AND b.created_time = a.created_time AND b.alert_id < a.alert_id;
CREATE UNIQUE INDEX alerts_occurrences ON alerts (rule_key, created_time) WHERE alarm_class IN (1, 2);
