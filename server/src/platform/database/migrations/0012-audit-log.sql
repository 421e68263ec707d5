-- The audit log as it is read: newest first, of a span of time, of a kind of action, of a person.
CREATE INDEX audit_log_time ON audit_log (plant_id, created_time, audit_id);
CREATE INDEX audit_log_action ON audit_log (plant_id, action, audit_id);
CREATE INDEX audit_log_user ON audit_log (plant_id, user_id, created_time, audit_id);
