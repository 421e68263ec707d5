-- Motor controllers made before say what they are set to, and their registers stand in groups.
UPDATE channels SET group_name = CASE
    WHEN channel_cn IN ('I A', 'I B', 'I C') THEN 'CURRENT'
    WHEN channel_cn IN ('Frequency', 'Real Power', 'Power Factor', 'Reactive Power') THEN 'POWER'
    WHEN channel_cn IN ('Run Time', 'Start Mode', 'Control') THEN 'OPERATION'
    WHEN channel_cn IN ('Frequency Setting', 'Under Current Detection', 'Under Current Type') THEN 'SETPOINTS'
    ELSE 'STATUS' END
  FROM devices WHERE devices.device_id = channels.device_id AND devices.type_id = 6;

WITH setpoint (position, keyword, unit) AS (
  VALUES (19, 'Rated Current', 'A'), (20, 'Under Current Setpoint', 'A'), (21, 'Under Current Delay', 's'), (22, 'Over Current Setpoint', 'A'),
         (23, 'Over Current Delay', 's'), (24, 'Locked Rotor Setpoint', 'A'), (25, 'Locked Rotor Delay', 's'), (26, 'Restart Delay', 'min')
), added AS (
  INSERT INTO channels (device_id, channel_cn, channel_name, channel_type, group_name, position)
  SELECT device_id, keyword, keyword, 4, 'SETPOINTS', position FROM devices, setpoint WHERE type_id = 6
  RETURNING channel_id, channel_cn
)
INSERT INTO settings_periods (channel_id, start_time, settings)
SELECT channel_id, now(), jsonb_build_object('analogId', 14, 'unit', unit, 'valueForm', 1, 'reportInterval', 60)
  FROM added JOIN setpoint ON keyword = channel_cn;

-- A digital output made before closes with any alarm of its device, as a new one does.
UPDATE settings_periods SET settings = settings || '{"outputMode": 1, "controlContact": 1}'
  FROM channels WHERE channels.channel_id = settings_periods.channel_id AND channels.channel_type = 3 AND end_time IS NULL;
