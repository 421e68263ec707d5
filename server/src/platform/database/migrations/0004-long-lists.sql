-- Each filter of the alert log finds its entries in the log's own order, however few of millions they are.
DROP INDEX alerts_triggered;
CREATE INDEX alerts_status ON alerts (plant_id, status, created_time DESC, alert_id DESC);
CREATE INDEX alerts_class ON alerts (plant_id, alarm_class, created_time DESC, alert_id DESC);
CREATE INDEX alerts_type ON alerts (plant_id, alarm_type, created_time DESC, alert_id DESC);
CREATE INDEX alerts_interval ON alerts (plant_id, report_interval, created_time DESC, alert_id DESC);
CREATE INDEX alerts_confirmed ON alerts (plant_id, accept_time) WHERE accept_time IS NOT NULL;
CREATE INDEX alerts_confirmed_by ON alerts (accepted_by, created_time DESC, alert_id DESC) WHERE accepted_by IS NOT NULL;
CREATE INDEX alerts_cleared ON alerts (plant_id, cleared_time) WHERE cleared_time IS NOT NULL;
DROP INDEX alerts_channel;
CREATE INDEX alerts_channel ON alerts (channel_id, created_time DESC, alert_id DESC);
DROP INDEX alerts_device;
CREATE INDEX alerts_device ON alerts (device_id, created_time DESC, alert_id DESC);

-- Which devices are in alert.
DROP INDEX alerts_open_device;
CREATE INDEX alerts_open_device ON alerts (device_id) WHERE cleared_time IS NULL AND alarm_class <> 4;
CREATE INDEX alerts_open_plant ON alerts (plant_id, device_id) WHERE cleared_time IS NULL AND alarm_class <> 4;

-- The device list in its order.
CREATE INDEX devices_list ON devices (plant_id, claimed_time, device_id) WHERE parent_device_id IS NULL;
